import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { Injectable } from '@nestjs/common';
import { fromBase64 } from '../signature-text.js';
import { WalletProof, type SignedText } from '../wallet-proof.js';
import { verifiesEd25519 } from './solana.proof.js';

interface Scheme {
  keyBytes: number;
  verify(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean;
}

const SIGNATURE_BYTES = 64;

/** By a signature's leading flag byte. ECDSA signs SHA-256 of the digest. Multisig and zkLogin are not supported. */
const SCHEMES: Readonly<Record<number, Scheme>> = {
  0x00: { keyBytes: 32, verify: verifiesEd25519 },
  0x01: { keyBytes: 33, verify: (...given) => ecdsa(secp256k1, ...given) },
  0x02: { keyBytes: 33, verify: (...given) => ecdsa(p256, ...given) },
};

function ecdsa(curve: typeof secp256k1, signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return curve.verify(signature, digest, publicKey, { prehash: true, lowS: true });
  } catch {
    return false;
  }
}

/** Sui wallets: personal messages, with an intent that separates them from transactions. */
@Injectable()
export class SuiProof extends WalletProof {
  readonly chains = ['SUI'] as const;
  readonly account = 'Sui';
  readonly needsNetwork = false;

  override addressOf(text: string): string | null {
    return /^0x[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null;
  }

  override async verify({ address, text, signature }: SignedText): Promise<boolean> {
    const bytes = fromBase64(signature);
    const scheme = SCHEMES[bytes?.[0] ?? -1];
    if (!bytes || bytes.length !== 1 + SIGNATURE_BYTES + (scheme?.keyBytes ?? Infinity)) return false;
    const publicKey = bytes.subarray(1 + SIGNATURE_BYTES);
    if (addressOfKey(bytes[0]!, publicKey) !== address) return false;
    return scheme!.verify(bytes.subarray(1, 1 + SIGNATURE_BYTES), personalMessageDigest(text), publicKey);
  }
}

/** `0x` and BLAKE2b-256 of the scheme flag and the key. */
function addressOfKey(flag: number, publicKey: Uint8Array): string {
  const hash = blake2b(Buffer.concat([Buffer.of(flag), publicKey]), { dkLen: 32 });
  return `0x${Buffer.from(hash).toString('hex')}`;
}

/** BLAKE2b-256 of the intent (scope 3 personal message, version 0, app 0) and the message as a BCS byte vector. */
function personalMessageDigest(text: string): Uint8Array {
  const message = Buffer.from(text);
  const length: number[] = [];
  for (let rest = message.length; ; rest >>= 7) {
    if (rest < 0x80) {
      length.push(rest);
      break;
    }
    length.push((rest & 0x7f) | 0x80);
  }
  return blake2b(Buffer.concat([Buffer.of(3, 0, 0), Buffer.from(length), message]), { dkLen: 32 });
}
