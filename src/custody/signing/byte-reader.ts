/** A request to sign is not what it claims to be. The message says what is wrong with it. */
export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest';
}

/** Reads bytes from front to back. Refuses missing bytes, trailing bytes and non-canonical lengths. */
export class ByteReader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  get position(): number {
    return this.#at;
  }

  /** @throws UnreadableRequest if fewer bytes are left */
  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new UnreadableRequest('it ends too early');
    const taken = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  uint8(): number {
    return this.take(1).readUInt8();
  }

  uint16(): number {
    return this.take(2).readUInt16LE();
  }

  uint32(): number {
    return this.take(4).readUInt32LE();
  }

  uint64(): bigint {
    return this.take(8).readBigUInt64LE();
  }

  /** LEB128 of at most `maxBytes` bytes in its shortest form: lengths in BCS, and in Solana with three bytes. */
  leb128(maxBytes: number): number {
    let value = 0;
    for (let at = 0; at < maxBytes; at++) {
      const byte = this.uint8();
      value += (byte & 0x7f) * 2 ** (7 * at);
      if (byte < 0x80) {
        if (byte === 0 && at > 0) throw new UnreadableRequest('a length is not in its shortest form');
        return value;
      }
    }
    throw new UnreadableRequest('a length is too long');
  }

  /** A Bitcoin CompactSize length in its shortest form. Lengths beyond 32 bits are refused. */
  compactSize(): number {
    const first = this.uint8();
    if (first < 0xfd) return first;
    if (first === 0xff) throw new UnreadableRequest('a length is too long');
    const value = first === 0xfd ? this.uint16() : this.uint32();
    if (value < (first === 0xfd ? 0xfd : 0x10000)) {
      throw new UnreadableRequest('a length is not in its shortest form');
    }
    return value;
  }

  /** Consecutive items. Each takes at least one byte, so an excessive length fails at the first missing item. */
  list<T>(length: number, read: () => T): T[] {
    const items: T[] = [];
    for (let at = 0; at < length; at++) items.push(read());
    return items;
  }

  /** @throws UnreadableRequest if bytes are left over */
  end(): void {
    if (this.#at !== this.bytes.length) throw new UnreadableRequest('bytes are left over');
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }
}
