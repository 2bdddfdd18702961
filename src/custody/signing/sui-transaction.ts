import { ByteReader, UnreadableRequest } from './byte-reader.js';

const ADDRESS_BYTES = 32;
const LENGTH_BYTES = 5;
/** The network's limit on type nesting. */
const MAX_TYPE_DEPTH = 16;
/** The network's limit. Each command is checked by itself, and may be as short as three bytes. */
const MAX_COMMANDS = 1024;

/** A value in a programmable transaction, by its source. */
export type SuiArgument =
  | { readonly kind: 'GasCoin' }
  | { readonly kind: 'Input'; readonly at: number }
  | { readonly kind: 'Result'; readonly at: number }
  | { readonly kind: 'NestedResult'; readonly at: number; readonly nested: number };

export type SuiCommand =
  | {
      readonly kind: 'MoveCall';
      readonly package: string;
      readonly module: string;
      readonly function: string;
      readonly arguments: readonly SuiArgument[];
    }
  | { readonly kind: 'TransferObjects'; readonly objects: readonly SuiArgument[]; readonly recipient: SuiArgument }
  | { readonly kind: 'SplitCoins'; readonly coin: SuiArgument; readonly amounts: readonly SuiArgument[] }
  | { readonly kind: 'MergeCoins' | 'MakeMoveVec' | 'Publish' | 'Upgrade' };

/** Who has to sign a transaction, and what it does. */
export interface SuiTransaction {
  readonly sender: string;
  readonly gasOwner: string;
  /** The most that the network charges for it. */
  readonly gasBudget: bigint;
  /** The bytes of pure inputs; null for objects. */
  readonly inputs: readonly (Buffer | null)[];
  readonly commands: readonly SuiCommand[];
}

/**
 * Parses BCS of `TransactionData` version 1 with a programmable transaction, to its last byte. System transactions and
 * unknown parts are refused: what cannot be parsed is not signed.
 *
 * @throws UnreadableRequest
 */
export function readSuiTransaction(bytes: Buffer): SuiTransaction {
  const read = new SuiReader(bytes);
  read.variant(['V1'], () => undefined);
  const programmable = read.variant(['ProgrammableTransaction'], () => read.programmable());
  const sender = read.address();
  read.each(() => read.objectRef());
  const gasOwner = read.address();
  read.skip(8);
  const gasBudget = read.uint64();
  read.variant(['None', 'Epoch'], (name) => {
    if (name === 'Epoch') read.skip(8);
  });
  read.end();
  return { sender, gasOwner, gasBudget, ...programmable };
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

  uint64(): bigint {
    return this.bytes.uint64();
  }

  address(): string {
    return `0x${this.bytes.take(ADDRESS_BYTES).toString('hex')}`;
  }

  variant<const V extends readonly string[], T>(names: V, read: (name: V[number]) => T): T {
    const name = names[this.length()];
    if (name === undefined) throw new UnreadableRequest('it has a part that is not known here');
    return read(name);
  }

  each<T>(read: () => T): T[] {
    return this.bytes.list(this.length(), read);
  }

  commands(): SuiCommand[] {
    const count = this.length();
    if (count > MAX_COMMANDS) throw new UnreadableRequest(`it has more than ${MAX_COMMANDS} commands`);
    return this.bytes.list(count, () => this.command());
  }

  /** Id, version and digest. */
  objectRef(): void {
    this.skip(ADDRESS_BYTES + 8);
    this.vector();
  }

  programmable(): Pick<SuiTransaction, 'inputs' | 'commands'> {
    return { inputs: this.each(() => this.input()), commands: this.commands() };
  }

  private length(): number {
    return this.bytes.leb128(LENGTH_BYTES);
  }

  private vector(): Buffer {
    return this.bytes.take(this.length());
  }

  private input(): Buffer | null {
    return this.variant(['Pure', 'Object'], (kind) => {
      if (kind === 'Pure') return this.vector();
      this.variant(['ImmOrOwned', 'Shared', 'Receiving'], (object) => {
        if (object === 'Shared') this.skip(ADDRESS_BYTES + 8 + 1);
        else this.objectRef();
      });
      return null;
    });
  }

  private command(): SuiCommand {
    return this.variant(COMMANDS, (kind): SuiCommand => {
      switch (kind) {
        case 'MoveCall':
          return this.moveCall();
        case 'TransferObjects':
          return { kind, objects: this.arguments(), recipient: this.argument() };
        case 'SplitCoins':
          return { kind, coin: this.argument(), amounts: this.arguments() };
        case 'MergeCoins':
          this.argument();
          this.arguments();
          return { kind };
        case 'MakeMoveVec':
          this.variant(['None', 'Some'], (option) => {
            if (option === 'Some') this.type();
          });
          this.arguments();
          return { kind };
        case 'Publish':
          this.modules();
          return { kind };
        case 'Upgrade':
          this.modules();
          this.skip(ADDRESS_BYTES);
          this.argument();
          return { kind };
      }
    });
  }

  private moveCall(): SuiCommand {
    const called = { package: this.address(), module: this.vector().toString(), function: this.vector().toString() };
    this.each(() => this.type());
    return { kind: 'MoveCall', ...called, arguments: this.arguments() };
  }

  /** Compiled modules, and the packages they depend on. */
  private modules(): void {
    this.each(() => this.vector());
    this.each(() => this.address());
  }

  private arguments(): SuiArgument[] {
    return this.each(() => this.argument());
  }

  private argument(): SuiArgument {
    return this.variant(['GasCoin', 'Input', 'Result', 'NestedResult'], (kind): SuiArgument => {
      if (kind === 'GasCoin') return { kind };
      const at = this.bytes.uint16();
      return kind === 'NestedResult' ? { kind, at, nested: this.bytes.uint16() } : { kind, at };
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
