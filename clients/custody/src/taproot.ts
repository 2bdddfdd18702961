import { sha256 } from '@noble/hashes/sha2.js';
import { bech32m } from '@scure/base';
import { joined, toHex, utf8 } from './encoding.js';

interface Output {
  readonly value: Uint8Array;
  readonly script: Uint8Array;
}

interface Input {
  readonly outpoint: Uint8Array;
  readonly script: Uint8Array;
  readonly sequence: Uint8Array;
}

interface Transaction {
  readonly version: Uint8Array;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  readonly lockTime: Uint8Array;
}

const MAGIC = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);
/** PSBT entry keys (BIP-174, BIP-371), hexadecimal. */
const UNSIGNED_TRANSACTION = '00';
const NON_WITNESS_UTXO = '00';
const WITNESS_UTXO = '01';
/** Final scripts and the key path signature: an input with any of these is signed. */
const SIGNED = ['07', '08', '13'];

const NOTHING = new Uint8Array(0);
const zeros = (length: number): Uint8Array => new Uint8Array(length);

/** The sighash of the first unsigned input that spends from the address. @throws Error when there is none */
export function taprootPsbt(bytes: Uint8Array, address: string): Uint8Array {
  const reader = new Reader(bytes);
  if (toHex(reader.take(MAGIC.length)) !== toHex(MAGIC)) throw new Error('This is no PSBT.');
  const unsigned = reader.map().get(UNSIGNED_TRANSACTION);
  if (!unsigned) throw new Error('The PSBT has no unsigned transaction.');
  const transaction = transactionOf(unsigned);
  const inputs = transaction.inputs.map(() => reader.map());
  const spent = inputs.map((input, at) => spentBy(transaction.inputs[at]!, input));
  const script = toHex(scriptOf(address));
  const at = inputs.findIndex(
    (input, index) => toHex(spent[index]!.script) === script && !SIGNED.some((key) => input.has(key)),
  );
  if (at < 0) throw new Error('No input of the PSBT spends from the address and has no signature.');
  return sighash(transaction, at, spent);
}

/** The sighash for a text message (BIP-322). */
export function taprootMessage(message: Uint8Array, address: string): Uint8Array {
  const script = scriptOf(address);
  const version = zeros(4);
  const lockTime = zeros(4);
  const challenge = joined(Uint8Array.of(0, 32), taggedHash('BIP0322-signed-message', message));
  const toSpend = {
    ...{ version, lockTime, outputs: [{ value: zeros(8), script }] },
    inputs: [{ outpoint: joined(zeros(32), new Uint8Array(4).fill(0xff)), script: challenge, sequence: zeros(4) }],
  };
  const outpoint = joined(idOf(toSpend), zeros(4));
  const toSign = {
    ...{ version, lockTime, outputs: [{ value: zeros(8), script: Uint8Array.of(0x6a) }] },
    inputs: [{ outpoint, script: NOTHING, sequence: zeros(4) }],
  };
  return sighash(toSign, 0, toSpend.outputs);
}

/** BIP-341, "Common signature message": key path, over all inputs and outputs (SIGHASH_DEFAULT). */
function sighash({ version, lockTime, inputs, outputs }: Transaction, at: number, spent: readonly Output[]) {
  const hashed = (parts: readonly Uint8Array[]): Uint8Array => sha256(joined(...parts));
  return taggedHash(
    'TapSighash',
    zeros(2),
    version,
    lockTime,
    hashed(inputs.map(({ outpoint }) => outpoint)),
    hashed(spent.map(({ value }) => value)),
    hashed(spent.map(({ script }) => sized(script))),
    hashed(inputs.map(({ sequence }) => sequence)),
    hashed(outputs.map(outputBytes)),
    zeros(1),
    uint32(at),
  );
}

/** The output that an input spends: as given, or from the full previous transaction, verified against the outpoint. */
function spentBy({ outpoint }: Input, input: ReadonlyMap<string, Uint8Array>): Output {
  const [told, whole] = [input.get(WITNESS_UTXO), input.get(NON_WITNESS_UTXO)];
  if (told) return new Reader(told).output();
  const previous = whole && transactionOf(whole);
  const number = new DataView(outpoint.buffer, outpoint.byteOffset).getUint32(32, true);
  const output = previous?.outputs[number];
  if (!output || toHex(idOf(previous)) !== toHex(outpoint.subarray(0, 32)))
    throw new Error('An input does not tell what it spends.');
  return output;
}

/** Parses a transaction without witnesses, the form hashed for its id. */
function transactionOf(bytes: Uint8Array): Transaction {
  const reader = new Reader(bytes);
  const version = reader.take(4);
  if (bytes[4] === 0 && bytes[5] === 1) reader.take(2);
  const inputs = reader.list(() => ({
    outpoint: reader.take(36),
    script: reader.sized(),
    sequence: reader.take(4),
  }));
  const outputs = reader.list(() => reader.output());
  return { version, inputs, outputs, lockTime: bytes.subarray(bytes.length - 4) };
}

const idOf = ({ version, inputs, outputs, lockTime }: Transaction): Uint8Array =>
  sha256(
    sha256(
      joined(
        version,
        compactSize(inputs.length),
        ...inputs.flatMap(({ outpoint, script, sequence }) => [outpoint, sized(script), sequence]),
        compactSize(outputs.length),
        ...outputs.map(outputBytes),
        lockTime,
      ),
    ),
  );

const scriptOf = (address: string): Uint8Array =>
  joined(Uint8Array.of(0x51, 32), bech32m.fromWords(bech32m.decode(address as `bc1${string}`).words.slice(1)));

const outputBytes = ({ value, script }: Output): Uint8Array => joined(value, sized(script));
const sized = (bytes: Uint8Array): Uint8Array => joined(compactSize(bytes.length), bytes);

function taggedHash(purpose: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const tag = sha256(utf8(purpose));
  return sha256(joined(tag, tag, ...parts));
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value);
  if (value > 0xffff) return joined(Uint8Array.of(0xfe), uint32(value));
  return joined(Uint8Array.of(0xfd), uint32(value).subarray(0, 2));
}

/** A bounds-checked reader. */
class Reader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  take(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.bytes.length) throw new Error('It ends before it is whole.');
    const taken = this.bytes.slice(this.at, end);
    this.at = end;
    return taken;
  }

  compactSize(): number {
    const first = this.take(1)[0]!;
    if (first === 0xff) throw new Error('A length in it is longer than anything.');
    const rest = this.take(first < 0xfd ? 0 : first === 0xfd ? 2 : 4);
    return first < 0xfd ? first : rest.reduceRight((sum, byte) => sum * 256 + byte, 0);
  }

  sized(): Uint8Array {
    return this.take(this.compactSize());
  }

  list<T>(read: () => T): T[] {
    const all: T[] = [];
    for (let left = this.compactSize(); left > 0; left--) all.push(read());
    return all;
  }

  output(): Output {
    return { value: this.take(8), script: this.sized() };
  }

  /** The entries of a PSBT map by hexadecimal key. */
  map(): Map<string, Uint8Array> {
    const entries = new Map<string, Uint8Array>();
    for (let key = this.sized(); key.length > 0; key = this.sized()) entries.set(toHex(key), this.sized());
    return entries;
  }
}
