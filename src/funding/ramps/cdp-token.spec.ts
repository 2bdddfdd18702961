import { describe, expect, it } from '@jest/globals';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { apiKeySecret } from '../../providers/index.js';
import { cdpToken } from './cdp-token.js';

const CALL = { method: 'POST', url: 'https://api.cdp.coinbase.com/platform/v2/onramp/orders?a=1' } as const;

function edwardsSecret(): string {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]).toString('base64');
}
const curveSecret = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }).toString();

describe('the token of a call', () => {
  it.each([
    ['EdDSA', edwardsSecret()],
    ['ES256', curveSecret()],
    ['ES256', curveSecret().replaceAll('\n', '\\n')],
  ])('is signed by %s and good for that call for two minutes', async (alg, secret) => {
    const key = apiKeySecret(secret);
    const token = cdpToken('key-1', key, CALL, Date.now());
    const { payload } = await jwtVerify(token, createPublicKey(key), { issuer: 'cdp', subject: 'key-1' });
    expect(payload['uris']).toEqual(['POST api.cdp.coinbase.com/platform/v2/onramp/orders']);
    expect(payload.exp! - payload.nbf!).toBe(120);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg, kid: 'key-1', typ: 'JWT' });
  });

  it('never has the nonce of another one', () => {
    const key = apiKeySecret(edwardsSecret());
    const nonces = Array.from({ length: 50 }, () => decodeProtectedHeader(cdpToken('k', key, CALL, 0))['nonce']);
    expect(new Set(nonces).size).toBe(50);
  });

  it('is not made with a secret of another form', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const secrets = ['', 'word', Buffer.alloc(32).toString('base64')];
    for (const secret of [...secrets, other.export({ type: 'sec1', format: 'pem' }).toString()])
      expect(() => apiKeySecret(secret)).toThrow();
  });
});
