import { SecretBytes } from '../../vault/index.js';
import type { AccountPlace } from '../held-account.js';

/** Version of the layout. Secrets sealed before it existed are the bare entropy. */
const VERSION = 2;
const LONGEST_ENTROPY_BYTES = 32;
const SEED_BYTES = 64;
const KEY_BYTES = 32;
const INDEX_BYTES = 4;

/** An account whose key was derived when the seed was sealed. */
export interface KeptAccount extends AccountPlace {
  readonly address: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** The parts are views of the opened secret, and turn to zeros with it. */
export interface KeptSeed {
  readonly entropy: SecretBytes;
  readonly seed: SecretBytes;
  readonly accounts: readonly KeptAccount[];
}

/**
 * The sealed form of an HD seed, so that signing opens it and derives nothing. Integers are big-endian:
 *
 * | bytes | field |
 * |---|---|
 * | 1 | version, 2 |
 * | 1 + n | length and bytes of the entropy |
 * | 64 | BIP-39 seed |
 * | 1 | number of accounts |
 * | 1 + n, 4, 1 + n, 32 for each | chain, index, address, private key |
 *
 * The owner is part of the seal, not of these bytes. The caller must wipe the result.
 */
export function writeSeed({ entropy, seed, accounts }: KeptSeed): SecretBytes {
  const texts = accounts.map(({ chain, address }) => [Buffer.from(chain), Buffer.from(address)] as const);
  const own = texts.reduce((sum, [chain, address]) => sum + 2 + chain.length + INDEX_BYTES + address.length, 0);
  const fixed = 3 + entropy.byteLength + SEED_BYTES;
  // Full size from the start: a growing buffer would leave copies behind.
  const bytes = Buffer.alloc(fixed + own + accounts.length * KEY_BYTES);
  let end = bytes.writeUInt8(VERSION, 0);
  const put = (part: Uint8Array): void => {
    bytes.set(part, end);
    end += part.length;
  };
  const putWithLength = (part: Uint8Array): void => {
    end = bytes.writeUInt8(part.length, end);
    put(part);
  };
  putWithLength(entropy.expose());
  put(seed.expose());
  end = bytes.writeUInt8(accounts.length, end);
  for (const [at, { index, key }] of accounts.entries()) {
    const [chain, address] = texts[at]!;
    putWithLength(chain);
    end = bytes.writeUInt32BE(index, end);
    putWithLength(address);
    put(key);
  }
  return SecretBytes.from(bytes);
}

/**
 * Reads what `writeSeed` wrote; null for entropy sealed on its own.
 *
 * @throws RangeError for anything else: since the seal was valid, another version wrote it
 */
export function readSeed(secret: SecretBytes): KeptSeed | null {
  if (secret.byteLength <= LONGEST_ENTROPY_BYTES) return null;
  const bytes = secret.expose();
  let end = 1;
  const take = (length: number): Buffer => bytes.subarray(end, (end += length));
  const takeWithLength = (): Buffer => take(bytes.readUInt8(end++));
  if (bytes[0] !== VERSION) throw new RangeError('This seed was sealed by a version that is not known here.');
  const entropy = SecretBytes.from(takeWithLength());
  const seed = SecretBytes.from(take(SEED_BYTES));
  const accounts = Array.from({ length: bytes.readUInt8(end++) }, (): KeptAccount => {
    const chain = takeWithLength().toString() as KeptAccount['chain'];
    const index = bytes.readUInt32BE(end);
    end += INDEX_BYTES;
    return { chain, index, address: takeWithLength().toString(), key: take(KEY_BYTES) };
  });
  if (end !== bytes.length) throw new RangeError('This seed is not whole.');
  return { entropy, seed, accounts };
}
