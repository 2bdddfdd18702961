import { createHash } from 'node:crypto';

const MOST_BITS = 1_023;
const MOST_REFERENCES = 4;
const DEPTH_BYTES = 2;
/** Validators reject deeper messages. */
export const MOST_DEPTH = 512;

/** An ordinary TON cell: bits, as a text of zeros and ones, and references to other cells. */
export class Cell {
  /** The representation hash, which covers the cell and everything it refers to. */
  readonly hash: Buffer;
  readonly depth: number;

  /** @throws RangeError if a cell cannot hold that much */
  constructor(
    readonly bits: string,
    readonly references: readonly Cell[] = [],
  ) {
    if (bits.length > MOST_BITS || references.length > MOST_REFERENCES)
      throw new RangeError('A cell cannot hold that much.');
    this.depth = references.length === 0 ? 0 : 1 + Math.max(...references.map(({ depth }) => depth));
    const depths = references.map(({ depth }) => bigEndian(depth, DEPTH_BYTES));
    const hashes = references.map(({ hash }) => hash);
    this.hash = createHash('sha256')
      .update(Buffer.concat([this.ownBytes(), ...depths, ...hashes]))
      .digest();
  }

  /** Descriptor bytes (reference count and length), then the bits, padded with a one and zeros to whole bytes. */
  ownBytes(): Buffer {
    const { length } = this.bits;
    const filled = length % 8 === 0 ? this.bits : `${this.bits}1`.padEnd(Math.ceil(length / 8) * 8, '0');
    const bytes = Array.from({ length: filled.length / 8 }, (_, at) => parseInt(filled.slice(at * 8, at * 8 + 8), 2));
    return Buffer.from([this.references.length, Math.floor(length / 8) + Math.ceil(length / 8), ...bytes]);
  }
}

export const bigEndian = (value: number, bytes: number): Buffer => {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
};

/** An unsigned number, padded to `bits` binary digits. */
export const numberBits = (value: number, bits: number): string => value.toString(2).padStart(bits, '0');

export const byteBits = (bytes: Uint8Array): string => [...bytes].map((byte) => numberBits(byte, 8)).join('');
