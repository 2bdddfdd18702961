import { describe, expect, it } from '@jest/globals';
import { parseClientData } from './client-data.js';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const plain = { type: 'webauthn.get', challenge: 'Y2hhbGxlbmdl', origin: 'https://app.example.com' };

describe('client data', () => {
  it('says what the ceremony was, for which challenge and where', () => {
    expect(parseClientData(encoded({ ...plain, crossOrigin: false }))).toEqual({ ...plain, isCrossOrigin: false });
  });

  it.each([{ crossOrigin: true }, { topOrigin: 'https://other.example' }])(
    'of a frame elsewhere says so: %j',
    (frame) => {
      expect(parseClientData(encoded({ ...plain, ...frame }))?.isCrossOrigin).toBe(true);
    },
  );

  it.each([
    ['nothing', ''],
    ['plain JSON', JSON.stringify(plain)],
    ['base64 that is not of URLs', 'ab+/'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['null', encoded(null)],
    ['a list', encoded([plain])],
    ['a challenge that is no text', encoded({ ...plain, challenge: 1 })],
    ['no origin', encoded({ ...plain, origin: undefined })],
    ['no type', encoded({ ...plain, type: undefined })],
    ['more than browsers write', encoded({ ...plain, padding: 'x'.repeat(4_096) })],
  ])('is not %s', (_, text) => expect(parseClientData(text)).toBeNull());
});
