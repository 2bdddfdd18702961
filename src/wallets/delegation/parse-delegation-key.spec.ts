import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ApiError } from '../../common/errors/index.js';
import { algorithmOf, parseDelegationKey } from './parse-delegation-key.js';

const spki = { type: 'spki', format: 'pem' } as const;
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const rsa = (modulusLength: number, publicExponent = 0x10001) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent, publicKeyEncoding: spki, privateKeyEncoding: pkcs8 });
const pair = rsa(2048);

const reasonOf = (read: () => unknown): unknown => {
  try {
    read();
    return 'taken';
  } catch (error) {
    expect((error as ApiError).code).toBe('invalid_delegation_key');
    return (error as ApiError).details.payload?.['reason'];
  }
};

describe('a key that shares are sealed to', () => {
  it('is an RSA key in PEM, or base64 of it, and named by its hash', () => {
    const der = Buffer.from(pair.publicKey.split('\n').slice(1, -2).join(''), 'base64');
    const kid = createHash('sha256').update(der).digest('base64url');
    const windows = pair.publicKey.replaceAll('\n', '\r\n');
    for (const text of [
      pair.publicKey,
      `  ${pair.publicKey}`,
      windows,
      Buffer.from(pair.publicKey).toString('base64'),
    ]) {
      expect(parseDelegationKey(text)).toEqual({ kid, publicKey: pair.publicKey });
    }
  });

  it.each<[string, () => string, RegExp]>([
    ['a private key', () => pair.privateKey, /no public key/],
    ['a private key in base64', () => Buffer.from(pair.privateKey).toString('base64'), /no public key/],
    ['nothing', () => '', /no public key/],
    ['half a key', () => pair.publicKey.replace(/\n.{64}\n/, '\n'), /no public key/],
    ['another kind of key', () => generateKeyPairSync('ed25519').publicKey.export(spki) as string, /no RSA key/],
    ['a short key', () => rsa(1024).publicKey, /2048/],
    ['a small exponent', () => rsa(2048, 3).publicKey, /exponent/],
  ])('is not %s', (_, text, reason) => {
    expect(reasonOf(() => parseDelegationKey(text()))).toMatch(reason);
  });

  it('has one of two algorithms', () => {
    expect([algorithmOf('RSA-OAEP-256'), algorithmOf(undefined)]).toEqual(['RSA-OAEP-256', 'HYBRID-RSA-AES-256']);
    expect(reasonOf(() => algorithmOf('RSA1_5'))).toMatch(/RSA-OAEP-256 or/);
  });
});
