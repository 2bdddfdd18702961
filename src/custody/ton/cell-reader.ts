import { UnreadableRequest } from '../signing/byte-reader.js';
import type { Cell } from './cell.js';

const LENGTH_BITS = 4;

/** Reads a cell from front to back. Refuses missing or leftover data. */
export class CellReader {
  #bitsAt = 0;
  #referencesAt = 0;

  constructor(private readonly cell: Cell) {}

  /** @throws UnreadableRequest if fewer bits are left */
  bits(count: number): string {
    const end = this.#bitsAt + count;
    if (end > this.cell.bits.length) throw new UnreadableRequest('a cell ends too early');
    const taken = this.cell.bits.slice(this.#bitsAt, end);
    this.#bitsAt = end;
    return taken;
  }

  bit(): boolean {
    return this.bits(1) === '1';
  }

  uint(bits: number): bigint {
    return bits === 0 ? 0n : BigInt(`0b${this.bits(bits)}`);
  }

  /** Peeks at a number without consuming it; null if fewer bits are left. */
  next(bits: number): bigint | null {
    const ahead = this.cell.bits.slice(this.#bitsAt, this.#bitsAt + bits);
    return ahead.length < bits ? null : BigInt(`0b${ahead}`);
  }

  /** An amount of coins, prefixed with its length in bytes. */
  coins(): bigint {
    return this.uint(8 * Number(this.uint(LENGTH_BITS)));
  }

  /** @throws UnreadableRequest if no reference is left */
  reference(): Cell {
    const cell = this.cell.references[this.#referencesAt++];
    if (!cell) throw new UnreadableRequest('a cell leads to too few others');
    return cell;
  }

  /** @throws UnreadableRequest if anything is left over */
  end(): void {
    if (!this.isAtEnd) throw new UnreadableRequest('a cell has something left over');
  }

  get isAtEnd(): boolean {
    return this.#bitsAt === this.cell.bits.length && this.#referencesAt === this.cell.references.length;
  }
}
