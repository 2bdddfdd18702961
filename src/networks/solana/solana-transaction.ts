import { base58 } from '@scure/base';

/** An instruction, with accounts as indexes into the account list. */
export interface SolanaInstruction {
  programIndex: number;
  accounts: readonly number[];
  data: Uint8Array;
}

/** Accounts that a transaction loads from a lookup table on the chain. */
export interface TableLookup {
  table: string;
  writable: readonly number[];
  readonly: readonly number[];
}

/** A parsed transaction, legacy or version 0 (https://solana.com/docs/core/transactions). */
export interface SolanaTransaction {
  signatures: readonly Uint8Array[];
  /** Null for a legacy transaction. */
  version: 0 | null;
  requiredSignatures: number;
  readonlySigned: number;
  readonlyUnsigned: number;
  /** In base58. */
  accounts: readonly string[];
  blockhash: string;
  instructions: readonly SolanaInstruction[];
  lookups: readonly TableLookup[];
}

/** The size of a network packet; longer transactions are rejected. */
export const MOST_BYTES = 1_232;
/** A full packet in base58. */
const MOST_CHARACTERS = 1_700;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** The bytes of a transaction in base64 or base58; null for any other text. */
export function transactionBytes(text: string): Uint8Array | null {
  if (text.length > MOST_CHARACTERS) return null;
  for (const decode of [fromBase64, fromBase58]) {
    const bytes = decode(text);
    if (bytes && bytes.length <= MOST_BYTES && isTransaction(bytes)) return bytes;
  }
  return null;
}

function fromBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '') ? bytes : null;
}

function fromBase58(text: string): Uint8Array | null {
  try {
    return base58.decode(text);
  } catch {
    return null;
  }
}

function isTransaction(bytes: Uint8Array): boolean {
  try {
    decodeTransaction(bytes);
    return true;
  } catch {
    return false;
  }
}

class Reader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  peek(): number {
    return this.take(1, 0)[0]!;
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  take(count: number, advance = count): Uint8Array {
    if (this.at + count > this.bytes.length) throw new Error('the transaction ends too early');
    const part = this.bytes.subarray(this.at, this.at + count);
    this.at += advance;
    return part;
  }

  key(): string {
    return base58.encode(this.take(KEY_BYTES));
  }

  /** `compact-u16`: seven bits per byte, lowest first, in its shortest form. */
  count(): number {
    let value = 0;
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) !== 0) continue;
      if ((byte === 0 && shift > 0) || value > 0xffff) break;
      return value;
    }
    throw new Error('a length is malformed');
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.count() }, read);
  }
}

/** @throws Error if the bytes are not such a transaction */
export function decodeTransaction(bytes: Uint8Array): SolanaTransaction {
  const reader = new Reader(bytes);
  const signatures = reader.list(() => reader.take(SIGNATURE_BYTES));
  const isVersioned = (reader.peek() & 0x80) !== 0;
  if (isVersioned && (reader.byte() & 0x7f) !== 0) throw new Error('an unknown version');
  const [requiredSignatures, readonlySigned, readonlyUnsigned] = [reader.byte(), reader.byte(), reader.byte()];
  const accounts = reader.list(() => reader.key());
  const blockhash = reader.key();
  const instructions = reader.list(() => ({
    programIndex: reader.byte(),
    accounts: reader.list(() => reader.byte()),
    data: reader.take(reader.count()),
  }));
  const lookups = isVersioned
    ? reader.list(() => ({
        table: reader.key(),
        writable: reader.list(() => reader.byte()),
        readonly: reader.list(() => reader.byte()),
      }))
    : [];
  const isSound =
    reader.isAtEnd &&
    requiredSignatures > 0 &&
    signatures.length === requiredSignatures &&
    readonlySigned < requiredSignatures &&
    requiredSignatures + readonlyUnsigned <= accounts.length &&
    new Set(accounts).size === accounts.length &&
    instructions.every(({ programIndex }) => programIndex < accounts.length);
  if (!isSound) throw new Error('the transaction contradicts itself');
  const header = { requiredSignatures, readonlySigned, readonlyUnsigned };
  return { signatures, version: isVersioned ? 0 : null, ...header, accounts, blockhash, instructions, lookups };
}

function compact(count: number): number[] {
  const bytes: number[] = [];
  for (let rest = count; ;) {
    const low = rest & 0x7f;
    rest >>= 7;
    bytes.push(rest > 0 ? low | 0x80 : low);
    if (rest === 0) return bytes;
  }
}

const listed = (bytes: ArrayLike<number>): number[] => [...compact(bytes.length), ...Array.from(bytes)];

export function encodeTransaction(transaction: SolanaTransaction): Uint8Array {
  const { signatures, version, requiredSignatures, readonlySigned, readonlyUnsigned } = transaction;
  const { accounts, blockhash, instructions, lookups } = transaction;
  return Uint8Array.from([
    ...compact(signatures.length),
    ...signatures.flatMap((signature) => [...signature]),
    ...(version === null ? [] : [0x80 | version]),
    ...[requiredSignatures, readonlySigned, readonlyUnsigned],
    ...compact(accounts.length),
    ...accounts.flatMap((account) => [...base58.decode(account)]),
    ...base58.decode(blockhash),
    ...compact(instructions.length),
    ...instructions.flatMap(({ programIndex, accounts: own, data }) => [programIndex, ...listed(own), ...listed(data)]),
    ...(version === null
      ? []
      : [
          ...compact(lookups.length),
          ...lookups.flatMap(({ table, writable, readonly }) => [
            ...base58.decode(table),
            ...listed(writable),
            ...listed(readonly),
          ]),
        ]),
  ]);
}

/** The writable accounts listed in the transaction itself. */
export function writableAccounts({ accounts, ...header }: SolanaTransaction): string[] {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  return accounts.filter(
    (_, at) =>
      at < requiredSignatures - readonlySigned || (at >= requiredSignatures && at < accounts.length - readonlyUnsigned),
  );
}

/** A lookup table: its state, then addresses (https://solana.com/docs/core/transactions/versions). */
const TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
const TABLE_STATE_BYTES = 56;

/** The addresses in a lookup table; null if the account is not one. */
export function tableAddresses(program: string, data: Uint8Array): string[] | null {
  if (program !== TABLE_PROGRAM || data.length < TABLE_STATE_BYTES) return null;
  const count = Math.floor((data.length - TABLE_STATE_BYTES) / KEY_BYTES);
  return Array.from({ length: count }, (_, at) => {
    const from = TABLE_STATE_BYTES + at * KEY_BYTES;
    return base58.encode(data.subarray(from, from + KEY_BYTES));
  });
}
