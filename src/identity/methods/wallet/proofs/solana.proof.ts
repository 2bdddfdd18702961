import { ed25519 } from '@noble/curves/ed25519.js';
import { Injectable } from '@nestjs/common';
import { fromBase58, readSignature64 } from '../signature-text.js';
import { WalletProof, type SignedText } from '../wallet-proof.js';

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const KEY_BYTES = 32;

/**
 * Solana wallets: Ed25519 (RFC 8032) over the UTF-8 text, whether the wallet built the message itself (Sign-In With
 * Solana) or was given it. The key is the address. Small-order keys, for which signatures match any text, are refused.
 */
@Injectable()
export class SolanaProof extends WalletProof {
  readonly chains = ['SOL'] as const;
  readonly account = 'Solana';
  readonly needsNetwork = false;

  override addressOf(text: string): string | null {
    return ADDRESS.test(text) && fromBase58(text)?.length === KEY_BYTES ? text : null;
  }

  override async verify({ address, text, signature }: SignedText): Promise<boolean> {
    const [bytes, key] = [readSignature64(signature), fromBase58(address)];
    return bytes !== null && key !== null && verifiesEd25519(bytes, Buffer.from(text), key);
  }
}

/** Strict as in RFC 8032 §5.1.7: canonical encodings, no small-order keys. */
export function verifiesEd25519(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}
