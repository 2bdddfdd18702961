import { createHash } from 'node:crypto';
import { LocalKeyRing, MASTER_KEY_BYTES, type MasterKey } from './local-key-ring.js';
import { SecretBytes } from './secret-bytes.js';
import { KeyRingError } from './vault.errors.js';

const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/]{43}=?$/;

/**
 * 32 random bytes hold about 30 different values, and fewer than 16 once in 10^15 keys. A typed phrase or a placeholder
 * holds fewer.
 */
const MIN_DISTINCT_BYTES = 16;

/**
 * Reads a ring of master keys: entries `id:key` or `key`, separated by commas or line breaks, the current one first.
 * A key is 32 bytes as base64 (padding optional) or hexadecimal; without an id it is named by the first 8 hexadecimal
 * digits of its SHA-256.
 *
 * @throws KeyRingError with one line that never contains key material
 */
export function parseKeyRing(text: string): LocalKeyRing {
  if (text.trim() === '') throw new KeyRingError('Master key ring: no key was given.');
  return new LocalKeyRing(
    text
      .trim()
      .split(/[,\n]/)
      .map((entry, position) => parseEntry(entry.trim(), position + 1)),
  );
}

/** A new master key as a ring entry `id:base64`. Put it before the entries of an existing ring to rotate. */
export function generateMasterKey(): string {
  const key = SecretBytes.random(MASTER_KEY_BYTES);
  const entry = `${fingerprint(key)}:${key.expose().toString('base64')}`;
  key.wipe();
  return entry;
}

function parseEntry(entry: string, number: number): MasterKey {
  if (entry === '') throw new KeyRingError(`Master key ring: entry ${number} is empty.`);
  const separator = entry.indexOf(':');
  const key = decodeKey(entry.slice(separator + 1).trim());
  if (key === null)
    throw new KeyRingError(`Master key ring: entry ${number} is not 32 bytes in base64 or hexadecimal.`);
  if (new Set(key).size < MIN_DISTINCT_BYTES) {
    throw new KeyRingError(`Master key ring: entry ${number} is not random; generate a key instead of typing one.`);
  }
  const bytes = SecretBytes.from(key);
  return { id: separator < 0 ? fingerprint(bytes) : entry.slice(0, separator).trim(), bytes };
}

function decodeKey(text: string): Buffer | null {
  if (HEX.test(text)) return Buffer.from(text, 'hex');
  if (!BASE64.test(text)) return null;
  const key = Buffer.from(text, 'base64');
  // 43 characters carry 258 bits: spare bits that are set betray a mistyped or cut key.
  return key.toString('base64').startsWith(text) ? key : null;
}

function fingerprint(key: SecretBytes): string {
  return createHash('sha256').update(key.expose()).digest('hex').slice(0, 8);
}
