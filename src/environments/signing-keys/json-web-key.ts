import { createPublicKey } from 'node:crypto';
import type { JwksKey } from './jwks.dto.js';

/** An RSA public key (SPKI in PEM) as a member of a key set for RS256 (RFC 7517 §4, RFC 7518 §6.3.1). */
export function toJsonWebKey(kid: string, publicKey: string): JwksKey {
  const { kty, e, n } = createPublicKey(publicKey).export({ format: 'jwk' });
  return { kid, alg: 'RS256', kty, use: 'sig', e, n };
}
