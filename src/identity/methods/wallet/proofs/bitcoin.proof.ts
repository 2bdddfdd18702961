import { secp256k1 } from '@noble/curves/secp256k1.js';
import { Injectable } from '@nestjs/common';
import { fromBase64 } from '../signature-text.js';
import { WalletProof, type SignedText } from '../wallet-proof.js';
import { verifiesBip322 } from './bip322.js';
import {
  compactSize,
  doubleSha256,
  hash160,
  parseBitcoinAddress,
  segwitHash,
  type BitcoinScript,
} from './bitcoin-script.js';

const MAX_SIGNATURE_LENGTH = 1_024;
const RECOVERABLE_BYTES = 65;
/** BIP-137: four header values each for uncompressed keys, compressed keys, and the two segwit forms. */
const FIRST_HEADER = 27;
const FIRST_COMPRESSED = 31;
const LAST_HEADER = 42;

/** Bitcoin wallets: BIP-322 simple for segwit, also in P2SH, and for taproot, and the older BIP-137 signatures. */
@Injectable()
export class BitcoinProof extends WalletProof {
  readonly chains = ['BTC'] as const;
  readonly account = 'Bitcoin';
  readonly needsNetwork = false;

  /** Mainnet only. Segwit addresses are lower-cased (BIP-173 allows upper case, for QR codes). */
  override addressOf(text: string): string | null {
    const script = parseBitcoinAddress(text);
    if (!script) return null;
    return /^bc1/i.test(text) ? text.toLowerCase() : text;
  }

  override async verify({ address, text, signature }: SignedText): Promise<boolean> {
    const script = parseBitcoinAddress(address);
    const bytes = signature.length <= MAX_SIGNATURE_LENGTH ? fromBase64(signature) : null;
    if (!script || !bytes) return false;
    // A 65-byte witness with such a first byte would have 27 elements or more.
    return bytes.length === RECOVERABLE_BYTES && bytes[0]! >= FIRST_HEADER
      ? verifiesRecoverable(bytes, text, script)
      : verifiesBip322(bytes, text, script);
  }
}

/**
 * BIP-137: the recovered key must match the address. Wallets disagree on the header for segwit, so the address alone
 * decides which form of key is expected.
 */
function verifiesRecoverable(bytes: Uint8Array, text: string, { kind, program }: BitcoinScript): boolean {
  const header = bytes[0]!;
  if (header > LAST_HEADER) return false;
  const recovery = (header - FIRST_HEADER) & 3;
  const isCompressed = header >= FIRST_COMPRESSED;
  let key: Uint8Array;
  try {
    const signature = secp256k1.Signature.fromBytes(
      Buffer.concat([Buffer.of(recovery), bytes.subarray(1)]),
      'recovered',
    );
    key = signature.recoverPublicKey(messageHash(text)).toBytes(isCompressed);
  } catch {
    return false;
  }
  const hash = kind === 'p2pkh' ? hash160(key) : isCompressed ? segwitHash(kind, key) : null;
  return hash !== null && Buffer.from(hash).equals(program);
}

function messageHash(text: string): Uint8Array {
  const [prefix, message] = [Buffer.from('Bitcoin Signed Message:\n'), Buffer.from(text)];
  return doubleSha256(Buffer.concat([compactSize(prefix.length), prefix, compactSize(message.length), message]));
}
