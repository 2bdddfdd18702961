import { sha512_256 } from '@noble/hashes/sha2.js';
import { base32nopad } from '@scure/base';
import { Injectable } from '@nestjs/common';
import { fromBase64 } from '../signature-text.js';
import { WalletProof, type SignedText } from '../wallet-proof.js';
import { verifiesEd25519 } from './solana.proof.js';

const ADDRESS = /^[A-Z2-7]{58}$/;
const KEY_BYTES = 32;
const CHECKSUM_BYTES = 4;
const SIGNATURE_BYTES = 64;

/** Algorand wallets: Ed25519 over `MX` and the text, to rule out transactions (`signBytes` of algosdk). */
@Injectable()
export class AlgorandProof extends WalletProof {
  readonly chains = ['ALGO'] as const;
  readonly account = 'Algorand';
  readonly needsNetwork = false;

  override addressOf(text: string): string | null {
    return keyOf(text) ? text : null;
  }

  override async verify({ address, text, signature }: SignedText): Promise<boolean> {
    const [key, bytes] = [keyOf(address), fromBase64(signature)];
    return key !== null && bytes?.length === SIGNATURE_BYTES && verifiesEd25519(bytes, Buffer.from(`MX${text}`), key);
  }
}

/** The address is the key plus the end of its SHA-512/256 as a checksum. */
function keyOf(address: string): Uint8Array | null {
  if (!ADDRESS.test(address)) return null;
  try {
    const bytes = base32nopad.decode(address);
    const [key, checksum] = [bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES)];
    return Buffer.from(sha512_256(key)).subarray(-CHECKSUM_BYTES).equals(checksum) ? key : null;
  } catch {
    return null;
  }
}
