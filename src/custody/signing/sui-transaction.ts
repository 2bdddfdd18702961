import { ByteReader, UnreadableRequest } from './byte-reader.js';

const ADDRESS_BYTES = 32;
const LENGTH_BYTES = 5;
/** Types nest no deeper than the network allows. */
const MAX_TYPE_DEPTH = 16;

/** Who has to sign a transaction. */
export interface SuiSigners {
  readonly sender: string;
  readonly gasOwner: string;
}

/**
 * Reads BCS of `TransactionData` version 1 with a programmable transaction, to its last byte. Transactions of the
 * system and parts that are not known here are refused: what cannot be read is not signed.
 *
 * @throws UnreadableRequest
 */
export function readSuiTransaction(bytes: Buffer): SuiSigners {
  const read = new SuiReader(bytes);
  read.variant(['V1'], () => undefined);
  read.variant(['ProgrammableTransaction'], () => read.programmable());
  const sender = read.address();
  read.each(() => read.objectRef());
  const gasOwner = read.address();
  read.skip(8 + 8);
  read.variant(['None', 'Epoch'], (name) => {
    if (name === 'Epoch') read.skip(8);
  });
  read.end();
  return { sender, gasOwner };
}

const TYPE_TAGS = [
  ...['bool', 'u8', 'u64', 'u128', 'address', 'signer', 'vector', 'struct', 'u16', 'u32', 'u256'],
] as const;
const COMMANDS = [
  ...['MoveCall', 'TransferObjects', 'SplitCoins', 'MergeCoins', 'Publish', 'MakeMoveVec', 'Upgrade'],
] as const;

class SuiReader {
  private readonly bytes: ByteReader;

  constructor(bytes: Buffer) {
    this.bytes = new ByteReader(bytes);
  }

  skip(length: number): void {
    this.bytes.take(length);
  }

  end(): void {
    this.bytes.end();
  }

  address(): string {
    return `0x${this.bytes.take(ADDRESS_BYTES).toString('hex')}`;
  }

  variant<const V extends readonly string[]>(names: V, read: (name: V[number]) => void): void {
    const name = names[this.length()];
    if (name === undefined) throw new UnreadableRequest('it has a part that is not known here');
    read(name);
  }

  each(read: () => unknown): void {
    this.bytes.list(this.length(), read);
  }

  /** Id, version and digest. */
  objectRef(): void {
    this.skip(ADDRESS_BYTES + 8);
    this.vector();
  }

  programmable(): void {
    this.each(() => this.input());
    this.each(() => this.command());
  }

  private length(): number {
    return this.bytes.leb128(LENGTH_BYTES);
  }

  private vector(): void {
    this.skip(this.length());
  }

  private input(): void {
    this.variant(['Pure', 'Object'], (kind) => {
      if (kind === 'Pure') return this.vector();
      this.variant(['ImmOrOwned', 'Shared', 'Receiving'], (object) => {
        if (object === 'Shared') this.skip(ADDRESS_BYTES + 8 + 1);
        else this.objectRef();
      });
    });
  }

  private command(): void {
    this.variant(COMMANDS, (name) => {
      switch (name) {
        case 'MoveCall':
          this.skip(ADDRESS_BYTES);
          this.vector();
          this.vector();
          this.each(() => this.type());
          return this.arguments();
        case 'TransferObjects':
          this.arguments();
          return this.argument();
        case 'SplitCoins':
        case 'MergeCoins':
          this.argument();
          return this.arguments();
        case 'MakeMoveVec':
          this.variant(['None', 'Some'], (option) => {
            if (option === 'Some') this.type();
          });
          return this.arguments();
        case 'Publish':
          return this.modules();
        case 'Upgrade':
          this.modules();
          this.skip(ADDRESS_BYTES);
          return this.argument();
      }
    });
  }

  /** Compiled modules, and the packages that they depend on. */
  private modules(): void {
    this.each(() => this.vector());
    this.each(() => this.address());
  }

  private arguments(): void {
    this.each(() => this.argument());
  }

  private argument(): void {
    this.variant(['GasCoin', 'Input', 'Result', 'NestedResult'], (name) => {
      this.skip({ GasCoin: 0, Input: 2, Result: 2, NestedResult: 4 }[name]);
    });
  }

  private type(depth = 0): void {
    if (depth > MAX_TYPE_DEPTH) throw new UnreadableRequest('its types are nested too deeply');
    this.variant(TYPE_TAGS, (name) => {
      if (name === 'vector') return this.type(depth + 1);
      if (name !== 'struct') return;
      this.skip(ADDRESS_BYTES);
      this.vector();
      this.vector();
      this.each(() => this.type(depth + 1));
    });
  }
}
