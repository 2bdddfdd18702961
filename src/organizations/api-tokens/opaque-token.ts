import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Makes the kind of a token recognisable to people and to secret scanners. */
export const TOKEN_PREFIX = { environment: 'ghe_', personal: 'ghp_', invite: 'ghi_' } as const;
export type TokenPrefix = (typeof TOKEN_PREFIX)[keyof typeof TOKEN_PREFIX];

/** A token as its holder has it. */
export interface OpaqueToken {
  raw: string;
  /** SHA-256 of the full token: sufficient at rest, since 256 random bits cannot be guessed. */
  hash: Buffer;
  /** The last six characters: a CRC of the rest. Safe to show, as it reveals nothing about the secret. */
  checksum: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
const SECRET_BYTES = 32;
/** 62^43 is the first power of 62 above 2^256. */
const SECRET_LENGTH = 43;
/** 62^6 is the first power of 62 above 2^32. */
const CHECKSUM_LENGTH = 6;
const BODY = new RegExp(`^[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new token: prefix, 256 bits in base62, and their CRC-32 (ISO 3309, as in gzip) in base62. */
export function makeToken(prefix: TokenPrefix, secret: Uint8Array = randomBytes(SECRET_BYTES)): OpaqueToken {
  if (secret.byteLength !== SECRET_BYTES) throw new TypeError(`A token holds ${SECRET_BYTES} bytes.`);
  const number = BigInt(`0x${Buffer.from(secret).toString('hex')}`);
  const start = `${prefix}${base62(number, SECRET_LENGTH)}`;
  return describe(`${start}${checksumOf(start)}`);
}

/** Parses a token offline; null for another prefix or form, or a wrong checksum. */
export function parseToken(prefix: TokenPrefix, text: string): OpaqueToken | null {
  if (!text.startsWith(prefix) || !BODY.test(text.slice(prefix.length))) return null;
  const start = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksumOf(start)) ? describe(text) : null;
}

function describe(raw: string): OpaqueToken {
  return { raw, hash: createHash('sha256').update(raw).digest(), checksum: raw.slice(-CHECKSUM_LENGTH) };
}

const checksumOf = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

function base62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest /= BASE) text = ALPHABET.charAt(Number(rest % BASE)) + text;
  return text;
}
