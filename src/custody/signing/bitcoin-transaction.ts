import { ByteReader, UnreadableRequest } from './byte-reader.js';
import { compactSize, doubleSha256, sized } from './bitcoin-script.js';
import { secp256k1Sign } from '../derivation/secp256k1-key.js';

/** The only signature type used: over all inputs and all outputs. */
export const SIGHASH_ALL = 1;
const SEGWIT_MARKER = 0;

export interface BitcoinInput {
  /** Transaction id and output index, 36 bytes as serialised. */
  readonly outpoint: Buffer;
  readonly script: Buffer;
  readonly sequence: Buffer;
}

export interface BitcoinOutput {
  readonly value: Buffer;
  readonly script: Buffer;
}

export interface BitcoinTransaction {
  readonly version: Buffer;
  readonly inputs: readonly BitcoinInput[];
  readonly outputs: readonly BitcoinOutput[];
  readonly lockTime: Buffer;
}

/** A transaction without its witnesses, as hashed for its id. @throws UnreadableRequest */
export function parseTransaction(bytes: Buffer): BitcoinTransaction {
  const reader = new ByteReader(bytes);
  const version = reader.take(4);
  const hasWitnesses = bytes[4] === SEGWIT_MARKER && bytes[5] === 1;
  if (hasWitnesses) reader.take(2);
  const inputs = reader.list(reader.compactSize(), () => ({
    outpoint: reader.take(36),
    script: reader.take(reader.compactSize()),
    sequence: reader.take(4),
  }));
  const outputs = reader.list(reader.compactSize(), () => readOutput(reader));
  if (hasWitnesses) for (const _ of inputs) reader.list(reader.compactSize(), () => reader.take(reader.compactSize()));
  const lockTime = reader.take(4);
  reader.end();
  if (inputs.length === 0) throw new UnreadableRequest('it has no inputs');
  return { version, inputs, outputs, lockTime };
}

export const readOutput = (reader: ByteReader): BitcoinOutput => ({
  value: reader.take(8),
  script: reader.take(reader.compactSize()),
});

export const outputBytes = ({ value, script }: BitcoinOutput): Buffer => Buffer.concat([value, sized(script)]);

export function transactionId({ version, inputs, outputs, lockTime }: BitcoinTransaction): Buffer {
  return doubleSha256(
    Buffer.concat([
      version,
      compactSize(inputs.length),
      ...inputs.flatMap(({ outpoint, script, sequence }) => [outpoint, sized(script), sequence]),
      compactSize(outputs.length),
      ...outputs.map(outputBytes),
      lockTime,
    ]),
  );
}

/** What the key of `program` signs to spend one input of amount `value`. */
export type WitnessSighash = (at: number, spent: { readonly program: Buffer; readonly value: Buffer }) => Buffer;

/** BIP-143, "Specification", for P2WPKH and SIGHASH_ALL. Parts common to all inputs are hashed only once. */
export function witnessSighashOf({ version, inputs, outputs, lockTime }: BitcoinTransaction): WitnessSighash {
  const outpoints = doubleSha256(Buffer.concat(inputs.map(({ outpoint }) => outpoint)));
  const sequences = doubleSha256(Buffer.concat(inputs.map(({ sequence }) => sequence)));
  const hashOutputs = doubleSha256(Buffer.concat(outputs.map(outputBytes)));
  const hashType = Buffer.alloc(4);
  hashType.writeUInt32LE(SIGHASH_ALL);
  return (at, { program, value }) => {
    const { outpoint, sequence } = inputs[at]!;
    const scriptCode = Buffer.concat([Buffer.from('1976a914', 'hex'), program, Buffer.from('88ac', 'hex')]);
    return doubleSha256(
      Buffer.concat([
        ...[version, outpoints, sequences, outpoint, scriptCode, value, sequence],
        ...[hashOutputs, lockTime, hashType],
      ]),
    );
  };
}

/** A signature as it stands in a witness: DER (X.690) of `r` and `s`, and the sighash type. */
export function witnessSignature(sighash: Buffer, key: Uint8Array): Buffer {
  const { signature } = secp256k1Sign(sighash, key);
  const numbers = Buffer.concat([derInteger(signature.subarray(0, 32)), derInteger(signature.subarray(32))]);
  return Buffer.concat([Buffer.of(0x30, numbers.length), numbers, Buffer.of(SIGHASH_ALL)]);
}

/** Strips leading zeros, except one that keeps the number from being negative. */
function derInteger(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(start);
  const positive = digits[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), digits]) : digits;
  return Buffer.concat([Buffer.of(0x02, positive.length), positive]);
}
