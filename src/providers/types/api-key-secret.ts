import { createPrivateKey, type KeyObject } from 'node:crypto';

const ED25519_BYTES = 64;

/**
 * The private key in the secret of a Coinbase Developer Platform API key: the Ed25519 seed and public key in base64, or
 * a P-256 key in PEM. @throws on anything else
 */
export function apiKeySecret(text: string): KeyObject {
  if (text.includes('-----BEGIN')) {
    const key = createPrivateKey(text.replaceAll('\\n', '\n'));
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('The key is on another curve.');
    return key;
  }
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== ED25519_BYTES) throw new Error('The secret is not a pair of Ed25519 keys.');
  const [d, x] = [bytes.subarray(0, 32).toString('base64url'), bytes.subarray(32).toString('base64url')];
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
}

export function isApiKeySecret(text: string): boolean {
  try {
    return apiKeySecret(text) !== null;
  } catch {
    return false;
  }
}
