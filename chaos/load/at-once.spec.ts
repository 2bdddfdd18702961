import { describe, expect, it } from '@jest/globals';
import { codeIn } from '../servers/mail.js';
import { tally, unlessOneEach, unlessOneWins } from './at-once.js';
import type { Reply } from './client.js';

const reply = (status: number | null, error?: string): Reply => ({
  ...{ status, headers: {}, text: '', ms: 1 },
  ...(error && { error }),
});
const replies = (...statuses: number[]): Reply[] => statuses.map((status) => reply(status));

describe('a race that one caller wins', () => {
  it('is one success and refusals', () => {
    expect(unlessOneWins('code', replies(422, 200, 422, 429))).toEqual([]);
  });

  it.each([
    ['nobody', replies(422, 422)],
    ['two', replies(200, 200, 422)],
    ['a fault of the server', replies(200, 500)],
    ['no answer', [reply(200), reply(null, 'ECONNRESET')]],
  ])('is not %s', (_, seen) => {
    expect(unlessOneWins('code', seen)).toEqual([`code: ${tally(seen)}`]);
  });

  it('counts the answers', () => {
    expect(tally([...replies(422, 200, 422), reply(null, 'ECONNRESET')])).toBe('200×1 422×2 ECONNRESET×1');
  });

  it('leaves one row of each kind', () => {
    expect(unlessOneEach('it', { users: 1, wallets: 2, events: 0 })).toEqual([
      'it left 2 × wallets',
      'it left 0 × events',
    ]);
  });
});

describe('a code in a message', () => {
  it('is the six digits at the beginning of the subject', () => {
    expect(codeIn('From: a\r\nSubject: 012345 is your code for b\r\n\r\n')).toBe('012345');
    expect(codeIn('Subject: You are invited to 123456\r\n')).toBeNull();
  });
});
