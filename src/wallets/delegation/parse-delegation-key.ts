import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { ALGORITHMS, type DelegationAlgorithm } from './delegation-key.dto.js';
import { invalidDelegationKey } from './delegation-key.errors.js';

const PEM = /^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+\n-----END PUBLIC KEY-----$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const LEAST_BITS = 2_048;
const MOST_BITS = 4_096;
/** 65537, the smallest exponent allowed (NIST SP 800-56B, 6.2). */
const LEAST_EXPONENT = 65_537n;

export interface ParsedDelegationKey {
  readonly kid: string;
  /** In the canonical form used by this service. */
  readonly publicKey: string;
}

const refused = (reason: string): Error => invalidDelegationKey({ payload: { reason } });

/** @throws ApiError invalid_delegation_key */
export function algorithmOf(text: string | undefined): DelegationAlgorithm {
  if (text === undefined) return 'HYBRID-RSA-AES-256';
  const known = ALGORITHMS.find((name) => name === text);
  if (!known) throw refused(`alg is ${ALGORITHMS.join(' or ')}`);
  return known;
}

/**
 * Parses a public key. A private key is rejected by its form, before it is parsed.
 *
 * @throws ApiError invalid_delegation_key
 */
export function parseDelegationKey(text: string): ParsedDelegationKey {
  const key = publicKeyOf(pemOf(text));
  if (key.asymmetricKeyType !== 'rsa') throw refused('it is no RSA key');
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < LEAST_BITS || modulusLength > MOST_BITS) throw refused('it has not 2048 to 4096 bits');
  if (publicExponent < LEAST_EXPONENT) throw refused('its exponent is less than 65537');
  const kid = createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('base64url');
  return { kid, publicKey: key.export({ format: 'pem', type: 'spki' }) as string };
}

function pemOf(text: string): string {
  const bare = text.trim();
  const pem = (BASE64.test(bare) ? Buffer.from(bare, 'base64').toString('latin1').trim() : bare).replaceAll(
    '\r\n',
    '\n',
  );
  if (!PEM.test(pem)) throw refused('it is no public key in PEM');
  return pem;
}

function publicKeyOf(pem: string): KeyObject {
  try {
    return createPublicKey({ key: pem, format: 'pem', type: 'spki' });
  } catch {
    throw refused('it is no public key in PEM');
  }
}
