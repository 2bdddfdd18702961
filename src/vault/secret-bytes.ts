import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { SecretWipedError } from './vault.errors.js';

const REDACTED = '[secret]';

/**
 * Bytes that must not be printed, serialised or kept: every implicit conversion yields `[secret]`, and the bytes
 * themselves are reached through `expose` alone, so a search for that word finds every use.
 *
 * `wipe` zeroes the memory this object holds. It is best effort: the runtime may have copied the bytes while moving
 * memory or inside native code, and JavaScript offers no guarantee about those copies.
 */
export class SecretBytes {
  readonly #bytes: Buffer;
  #wiped = false;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Takes the memory over without copying: `wipe` zeroes the very bytes that were passed in. */
  static from(bytes: Uint8Array): SecretBytes {
    return new SecretBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  /** `length` bytes of the operating system's random source. */
  static random(length: number): SecretBytes {
    return new SecretBytes(randomBytes(length));
  }

  get byteLength(): number {
    return this.#bytes.byteLength;
  }

  /**
   * The bytes, not a copy: do not keep them beyond this object's life.
   *
   * @throws SecretWipedError after `wipe`
   */
  expose(): Buffer {
    if (this.#wiped) throw new SecretWipedError();
    return this.#bytes;
  }

  /** Zeroes the bytes. Safe to call again. */
  wipe(): void {
    this.#bytes.fill(0);
    this.#wiped = true;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
