import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { SecretScanner } from './support/secret-scanner.js';

const secret = randomBytes(32);
const scanner = new SecretScanner();
scanner.add('key', secret);
scanner.add('phrase', 'abandon ability able about');
scanner.addWord('code', '493021');

describe('the scanner for secrets', () => {
  it.each<[string, Buffer | string]>([
    ['raw bytes', Buffer.concat([randomBytes(50), secret, randomBytes(7)])],
    ['hexadecimal', `{"note":"0x${secret.toString('hex')}"}`],
    ['upper-case hexadecimal', secret.toString('hex').toUpperCase()],
    ['a column of bytes', `1\t\\\\x${Buffer.concat([Buffer.from('ab'), secret]).toString('hex')}\tt`],
    ['text in a column of bytes', `\\\\x${Buffer.from(secret.toString('base64')).toString('hex')}`],
    ['base64', `key=${secret.toString('base64')};`],
    ['base64 after one byte', Buffer.concat([Buffer.of(1), secret, randomBytes(3)]).toString('base64')],
    ['base64 after two bytes', Buffer.concat([Buffer.of(1, 2), secret]).toString('base64')],
    ['base64url', secret.toString('base64url')],
    ['base58', base58.encode(secret)],
    ['a printed buffer', inspect(secret)],
    ['a printed array', inspect(new Uint8Array(secret), { maxArrayLength: null, breakLength: Infinity })],
    ['a buffer as JSON', JSON.stringify(secret)],
    ['lines of base64', JSON.stringify(secret.toString('base64').replace(/.{10}/g, '$&\n'))],
  ])('finds one as %s', (_, content) => {
    expect(scanner.scan('here', content)).toContainEqual(expect.objectContaining({ secret: 'key', place: 'here' }));
  });

  it('finds words where they stand alone', () => {
    for (const text of ['code: 493021', '"493021"', '493021', 'to=493021&x=1']) {
      expect(scanner.scan('log', text)).toEqual([{ secret: 'code', form: 'word', place: 'log' }]);
    }
    for (const text of ['1493021', '12:00:01.493021+00', 'a493021', '018f-493021', '4930211']) {
      expect(scanner.scan('log', text)).toEqual([]);
    }
  });

  it('finds nothing in what is something else', () => {
    const others = Array.from({ length: 50 }, () => randomBytes(32));
    const text = others.map((one) => [one.toString('hex'), one.toString('base64'), base58.encode(one)].join(' '));
    expect(scanner.scan('dump', Buffer.concat([...others, Buffer.from(text.join('\n'))]))).toEqual([]);
  });

  it('says what was found, not the secret', () => {
    const findings = JSON.stringify(scanner.scan('log', secret.toString('hex')));
    expect(findings).not.toContain(secret.toString('hex'));
    expect(findings).toContain('"hex"');
  });

  it('refuses secrets that chance would find', () => {
    expect(() => scanner.add('short', '12345678901')).toThrow(RangeError);
  });
});
