import { joined, utf8 } from './encoding.js';
import { accountOf } from './ton-cells.js';

/** A message signed on TON for an application. */
export interface TonMessage {
  readonly bytes: Uint8Array;
  /** Whether the bytes are text. */
  readonly isText: boolean;
  /** The application's domain. */
  readonly domain: string;
  /** Time of the request: Unix time in seconds. */
  readonly timestamp: number;
  /** The wallet's address. */
  readonly address: string;
}

/** The data that `signData` of TON Connect hashes with SHA-256. */
export function tonData({ bytes, isText, domain, timestamp, address }: TonMessage): Uint8Array {
  const name = utf8(domain);
  const begin = joined(Uint8Array.of(0xff, 0xff), utf8('ton-connect/sign-data/'), bigEndian(0, 4), accountOf(address));
  const about = joined(bigEndian(name.length, 4), name, bigEndian(timestamp, 8));
  return joined(begin, about, utf8(isText ? 'txt' : 'bin'), bigEndian(bytes.length, 4), bytes);
}

function bigEndian(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = length - 1, left = value; at >= 0; at--, left = Math.floor(left / 256)) bytes[at] = left % 256;
  return bytes;
}
