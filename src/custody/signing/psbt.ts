import { OP_RETURN, sized } from './bitcoin-script.js';
import { parseTransaction, type BitcoinTransaction } from './bitcoin-transaction.js';
import { ByteReader, UnreadableRequest } from './byte-reader.js';

const MAGIC = Buffer.from('70736274ff', 'hex');
const UNSIGNED_TRANSACTION = 0x00;
/**
 * Each output is checked against every policy rule. The network relays transactions of about 3000 outputs at most, and
 * batch payments, which services make and users do not, have a few hundred, so this limit affects nobody.
 */
const MAX_OUTPUTS = 1024;

/** Key types of an input (BIP-174, "Specification"). */
export const INPUT = {
  nonWitnessUtxo: 0x00,
  witnessUtxo: 0x01,
  partialSignature: 0x02,
  sighashType: 0x03,
  finalScript: 0x07,
  finalWitness: 0x08,
  /** BIP-371. */
  taprootKeySignature: 0x13,
} as const;

interface PsbtEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

export type PsbtMap = readonly PsbtEntry[];

/** A partially signed transaction, version 0 (BIP-174), with all of its entries, recognised or not. */
export interface Psbt {
  readonly transaction: BitcoinTransaction;
  readonly global: PsbtMap;
  readonly inputs: readonly PsbtMap[];
  readonly outputs: readonly PsbtMap[];
}

/** @throws UnreadableRequest */
export function parsePsbt(bytes: Buffer): Psbt {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new UnreadableRequest('it does not begin as a PSBT does');
  const reader = new ByteReader(bytes.subarray(MAGIC.length));
  const global = readMap(reader);
  const unsigned = valueOf(global, UNSIGNED_TRANSACTION);
  if (!unsigned) throw new UnreadableRequest('it has no unsigned transaction (PSBT version 0)');
  const transaction = parseTransaction(unsigned);
  if (transaction.outputs.length > MAX_OUTPUTS) {
    throw new UnreadableRequest(`it has more than ${MAX_OUTPUTS} outputs`);
  }
  if (transaction.inputs.some(({ script }) => script.length > 0)) {
    throw new UnreadableRequest('its unsigned transaction is signed');
  }
  if (isOfMessage(transaction)) throw new UnreadableRequest('it is a message (BIP-322) and no transaction');
  const inputs = transaction.inputs.map(() => readMap(reader));
  const outputs = transaction.outputs.map(() => readMap(reader));
  reader.end();
  return { transaction, global, inputs, outputs };
}

/** BIP-322, "Full": a proof has this one output, which gives everything to the network in a transaction of coins. */
function isOfMessage({ outputs }: BitcoinTransaction): boolean {
  const [only, ...others] = outputs;
  return others.length === 0 && !!only?.script.equals(OP_RETURN) && only.value.readBigUInt64LE() === 0n;
}

export function psbtBytes({ global, inputs, outputs }: Psbt): Buffer {
  const maps = [global, ...inputs, ...outputs];
  return Buffer.concat([
    MAGIC,
    ...maps.flatMap((map) => [...map.flatMap(({ key, value }) => [sized(key), sized(value)]), Buffer.of(0)]),
  ]);
}

/** The value of the entry whose key is only its type. */
export const valueOf = (map: PsbtMap, type: number): Buffer | null =>
  map.find(({ key }) => key.length === 1 && key[0] === type)?.value ?? null;

function readMap(reader: ByteReader): PsbtMap {
  const entries: PsbtEntry[] = [];
  const seen = new Set<string>();
  for (let length = reader.compactSize(); length > 0; length = reader.compactSize()) {
    const key = reader.take(length);
    const name = key.toString('hex');
    if (seen.has(name)) throw new UnreadableRequest('an entry stands in it twice');
    seen.add(name);
    entries.push({ key, value: reader.take(reader.compactSize()) });
  }
  return entries;
}
