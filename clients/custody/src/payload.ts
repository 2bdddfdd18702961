import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { joined } from './encoding.js';
import { taprootMessage, taprootPsbt } from './taproot.js';
import { rootHash } from './ton-cells.js';
import { tonData, type TonMessage } from './ton-data.js';

/** What to sign, and on which chain. */
export type Signable =
  | { readonly chain: 'SVM' | 'SUI'; readonly kind: 'message'; readonly bytes: Uint8Array }
  /** In wire format for Solana, as BCS of `TransactionData` for Sui. */
  | { readonly chain: 'SVM' | 'SUI'; readonly kind: 'transaction'; readonly bytes: Uint8Array }
  /** A bag of cells with the unsigned message to the wallet contract. */
  | { readonly chain: 'TON'; readonly kind: 'transaction'; readonly bytes: Uint8Array }
  | ({ readonly chain: 'TON'; readonly kind: 'message' } & TonMessage)
  /** A text, or a PSBT (BIP-174), of which the first unsigned input that spends from the address is signed. */
  | {
      readonly chain: 'BTC';
      readonly kind: 'message' | 'psbt';
      readonly bytes: Uint8Array;
      readonly address: string;
    };

/** The service requested a signature over something other than what the caller wants signed. Nothing was signed. */
export class MismatchedMessage extends Error {
  override readonly name = 'MismatchedMessage';
}

/** The bytes that are signed with Ed25519 or BIP-340. */
export function payloadOf(signable: Signable): Uint8Array {
  if (signable.chain === 'BTC') {
    const { kind, bytes, address } = signable;
    return kind === 'psbt' ? taprootPsbt(bytes, address) : taprootMessage(bytes, address);
  }
  if (signable.chain === 'TON')
    return signable.kind === 'message' ? sha256(tonData(signable)) : rootHash(signable.bytes);
  const { chain, kind, bytes } = signable;
  if (chain === 'SVM') return kind === 'message' ? bytes : solanaMessage(bytes);
  const intent = kind === 'message' ? joined(Uint8Array.of(3, 0, 0), uleb128(bytes.length)) : Uint8Array.of(0, 0, 0);
  return blake2b(joined(intent, bytes), { dkLen: 32 });
}

/** The part after a transaction's signatures, whose count comes first as a varint of 7 bits per byte. */
function solanaMessage(transaction: Uint8Array): Uint8Array {
  let count = 0;
  let at = 0;
  for (let shift = 0; at < 3; shift += 7) {
    const byte = transaction[at++]!;
    count |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return transaction.slice(at + 64 * count);
}

function uleb128(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Uint8Array.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}
