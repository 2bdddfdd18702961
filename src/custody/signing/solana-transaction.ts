import { base58 } from '@scure/base';
import { ByteReader, UnreadableRequest } from './byte-reader.js';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
/** The high bit of a message's first byte marks a version; legacy messages do not have it set. */
const VERSIONED = 0x80;
/** Lengths take at most three bytes ("compact-u16"). */
const LENGTH_BYTES = 3;
/** The largest transaction that fits in a network packet. */
export const MAX_SOLANA_TRANSACTION_BYTES = 1232;

/** Account indexes; those beyond the message's own keys are in lookup tables. */
export interface SolanaInstruction {
  readonly programAt: number;
  readonly accountsAt: readonly number[];
  readonly data: Buffer;
}

/** A message of any version: its required signers, in signature order, and what it does. */
export interface SolanaMessage {
  readonly signers: readonly string[];
  readonly keys: readonly string[];
  readonly instructions: readonly SolanaInstruction[];
}

/** A transaction in wire format: signatures, then the message they sign. */
export interface SolanaTransaction extends SolanaMessage {
  readonly message: Buffer;
  /** Offset of the first signature. */
  readonly signaturesAt: number;
}

/**
 * Parses a legacy or version 0 message, to its last byte.
 *
 * @throws UnreadableRequest
 */
export function parseSolanaMessage(bytes: Buffer): SolanaMessage {
  const reader = new ByteReader(bytes);
  const first = reader.uint8();
  const isVersioned = first >= VERSIONED;
  if (isVersioned && first !== VERSIONED) throw new UnreadableRequest('its version is unknown');
  const required = isVersioned ? reader.uint8() : first;
  const [readonlySigned, readonlyUnsigned] = [reader.uint8(), reader.uint8()];
  const keys = reader.list(reader.leb128(LENGTH_BYTES), () => base58.encode(reader.take(KEY_BYTES)));
  if (required === 0 || readonlySigned >= required || required + readonlyUnsigned > keys.length) {
    throw new UnreadableRequest('its header does not fit its accounts');
  }
  reader.take(KEY_BYTES);
  const instructions = reader.list(reader.leb128(LENGTH_BYTES), () => readInstruction(reader));
  if (isVersioned) {
    const tables = reader.leb128(LENGTH_BYTES);
    for (let at = 0; at < tables; at++) skipLookup(reader);
  }
  reader.end();
  return { signers: keys.slice(0, required), keys, instructions };
}

/** @throws UnreadableRequest */
export function parseSolanaTransaction(bytes: Buffer): SolanaTransaction {
  if (bytes.length > MAX_SOLANA_TRANSACTION_BYTES) throw new UnreadableRequest('it is larger than a packet');
  const reader = new ByteReader(bytes);
  const signatures = reader.leb128(LENGTH_BYTES);
  const signaturesAt = reader.position;
  reader.take(signatures * SIGNATURE_BYTES);
  const message = bytes.subarray(reader.position);
  const parsed = parseSolanaMessage(message);
  if (parsed.signers.length !== signatures) throw new UnreadableRequest('it has not one place for each signature');
  return { ...parsed, message, signaturesAt };
}

/** The transaction with a signature in one signer's slot. */
export function withSignature(
  bytes: Buffer,
  { signaturesAt }: SolanaTransaction,
  at: number,
  signature: Buffer,
): Buffer {
  const signed = Buffer.from(bytes);
  signature.copy(signed, signaturesAt + at * SIGNATURE_BYTES);
  return signed;
}

function readInstruction(reader: ByteReader): SolanaInstruction {
  const programAt = reader.uint8();
  const accountsAt = [...reader.take(reader.leb128(LENGTH_BYTES))];
  return { programAt, accountsAt, data: reader.take(reader.leb128(LENGTH_BYTES)) };
}

function skipLookup(reader: ByteReader): void {
  reader.take(KEY_BYTES);
  reader.take(reader.leb128(LENGTH_BYTES));
  reader.take(reader.leb128(LENGTH_BYTES));
}
