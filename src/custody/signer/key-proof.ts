import { createHash } from 'node:crypto';
import { addressOf, curveOf } from '../derivation/derive-account.js';
import { ed25519Sign, ed25519Verify } from '../derivation/ed25519-key.js';
import { secp256k1Sign, secp256k1Verify } from '../derivation/secp256k1-key.js';
import type { EmbeddedChain } from '../embedded-chain.js';

/** Domain separation: no transaction or message of any chain starts like this. */
const PREFIX = Buffer.from('gatehouse/key-proof/v1\n');

const challengeOf = (text: Uint8Array): Buffer => Buffer.concat([PREFIX, text]);
const digestOf = (text: Uint8Array): Buffer => createHash('sha256').update(challengeOf(text)).digest();

/** A signature by a private key: Ed25519, or ECDSA over SHA-256. */
export const proveKey = (chain: EmbeddedChain, privateKey: Uint8Array, text: Uint8Array): Buffer =>
  curveOf(chain) === 'ed25519'
    ? ed25519Sign(challengeOf(text), privateKey)
    : secp256k1Sign(digestOf(text), privateKey).signature;

/** The address that a proof is about. */
export interface ProvenAddress {
  readonly chain: EmbeddedChain;
  readonly address: string;
  /** Hexadecimal. */
  readonly publicKey: string;
}

/** Whether the holder of the private key of an address has signed the text. */
export function isProven({ chain, address, publicKey }: ProvenAddress, text: Uint8Array, proof: Uint8Array): boolean {
  if (addressOf(chain, publicKey) !== address) return false;
  const key = Buffer.from(publicKey, 'hex');
  return curveOf(chain) === 'ed25519'
    ? ed25519Verify(challengeOf(text), key, proof)
    : secp256k1Verify(digestOf(text), key, proof);
}
