import { randomBytes, sign, type KeyObject } from 'node:crypto';

const LIFETIME_SECONDS = 120;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface CdpCall {
  method: 'GET' | 'POST';
  url: string;
}

/**
 * The bearer token for one call to Coinbase's developer platform: valid for two minutes and this method, host and path.
 * https://docs.cdp.coinbase.com/get-started/authentication/jwt-authentication
 */
export function cdpToken(keyId: string, key: KeyObject, { method, url }: CdpCall, nowMs: number): string {
  const { host, pathname } = new URL(url);
  const isEdwards = key.asymmetricKeyType === 'ed25519';
  const nbf = Math.floor(nowMs / 1_000);
  const header = { alg: isEdwards ? 'EdDSA' : 'ES256', kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') };
  const claims = { iss: 'cdp', sub: keyId, nbf, exp: nbf + LIFETIME_SECONDS, uris: [`${method} ${host}${pathname}`] };
  const signed = `${part(header)}.${part(claims)}`;
  // RFC 8037 section 3.1 and RFC 7518 section 3.4.
  const signature = isEdwards
    ? sign(null, Buffer.from(signed), key)
    : sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
