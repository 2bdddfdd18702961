import { afterAll, describe, expect, it } from '@jest/globals';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { botToken, imitatedLogin } from './imitated-messaging.js';

const NOW = 1_767_182_400;
const TOKEN = 'token of the bot';

describe('a login at the imitated messaging network', () => {
  it('is signed as the network signs, with the token of the bot', () => {
    const { hash, ...fields } = imitatedLogin('Ann', NOW, TOKEN)!;
    const text = Object.keys(fields)
      .toSorted()
      .map((name) => `${name}=${fields[name]}`)
      .join('\n');
    const key = createHash('sha256').update(TOKEN).digest();
    expect(hash).toBe(createHmac('sha256', key).update(text).digest('hex'));
    expect(fields).toEqual({ id: expect.stringMatching(/^[1-9]\d{0,15}$/), first_name: 'Ann', auth_date: String(NOW) });
  });

  it('is of the same account under the same name, and of another under another', () => {
    const idOf = (name: string) => imitatedLogin(name, NOW, TOKEN)!['id'];
    expect(idOf(' ANN ')).toBe(idOf('ann'));
    expect(idOf('bob')).not.toBe(idOf('ann'));
  });

  it.each(['', '   ', 'a\nid=1', 'x'.repeat(65)])('is none for %j', (name) => {
    expect(imitatedLogin(name, NOW, TOKEN)).toBeNull();
  });
});

describe('the token of the imitated bot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bot-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is of the folder of an installation: the same at each start, and another in another one', () => {
    const [here, there] = [join(folder, 'a'), join(folder, 'b')];
    expect(botToken(here)).toMatch(/^[\w-]{43}$/);
    expect(botToken(here)).toBe(botToken(here));
    expect(botToken(there)).not.toBe(botToken(here));
  });
});
