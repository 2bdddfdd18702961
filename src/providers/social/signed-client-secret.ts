import { createPrivateKey, sign } from 'node:crypto';
import type { SecretParts } from './social-vendor.js';

const LIFETIME_SECONDS = 300;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Whether a secret is a P-256 private key in PEM, as issued by the vendor. */
export function isSigningKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** A client secret in the form of a five-minute JWT signed with ES256 (RFC 7518 section 3.4). @throws on another key */
export function signedClientSecret({ configuration, secret, now }: SecretParts, audience: string): string {
  const { oauthKeyId, oauthTeamId, clientId } = configuration;
  const iat = Math.floor(now.getTime() / 1_000);
  const claims = { iss: oauthTeamId, iat, exp: iat + LIFETIME_SECONDS, aud: audience, sub: clientId };
  const signed = `${part({ alg: 'ES256', kid: oauthKeyId })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: createPrivateKey(secret), dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
