import type { webcrypto } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { base58 } from '@scure/base';
import { exactly, fromBase64url, toBase64url } from './encoding.js';

/** HPKE (RFC 9180), base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

export interface Sealed {
  readonly enc: string;
  readonly ciphertext: string;
}

/** A recipient's key for sealed shares, for a single ceremony. */
export interface Receiver {
  /** The public key in base58. */
  readonly keygenId: string;
  readonly keys: webcrypto.CryptoKeyPair;
}

export async function newReceiver(): Promise<Receiver> {
  const keys = (await suite.kem.generateKeyPair()) as webcrypto.CryptoKeyPair;
  const publicKey = new Uint8Array(await suite.kem.serializePublicKey(keys.publicKey));
  return { keygenId: base58.encode(publicKey), keys };
}

export async function seal(
  keygenId: string,
  plaintext: Uint8Array,
  info: Uint8Array,
  aad: Uint8Array,
): Promise<Sealed> {
  const key = exactly(base58.decode(keygenId));
  const recipientPublicKey = (await suite.kem.deserializePublicKey(key)) as webcrypto.CryptoKey;
  const sealed = await suite.seal({ recipientPublicKey, info: exactly(info) }, exactly(plaintext), exactly(aad));
  return { enc: toBase64url(new Uint8Array(sealed.enc)), ciphertext: toBase64url(new Uint8Array(sealed.ct)) };
}

/** @throws Error when it was sealed to another key or for another context */
export async function open(
  { keys }: Receiver,
  { enc, ciphertext }: Sealed,
  info: Uint8Array,
  aad: Uint8Array,
): Promise<Uint8Array> {
  const opening = { recipientKey: keys, enc: exactly(fromBase64url(enc)), info: exactly(info) };
  return new Uint8Array(await suite.open(opening, exactly(fromBase64url(ciphertext)), exactly(aad)));
}
