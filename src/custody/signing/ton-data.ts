import { UnreadableRequest } from './byte-reader.js';
import { bigEndian } from '../ton/cell.js';
import type { TonAccount } from '../../common/addresses/ton-address.js';

/** Prefix of what `signData` of TON Connect hashes: no cell or text begins with these bytes. */
const PREFIX = Buffer.concat([Buffer.of(0xff, 0xff), Buffer.from('ton-connect/sign-data/')]);
const KINDS = ['txt', 'bin'] as const;
const [WORKCHAIN_BYTES, HASH_BYTES, LENGTH_BYTES, TIME_BYTES, KIND_BYTES] = [4, 32, 4, 8, 3];

/** Data signed for an application. */
export interface TonData {
  readonly account: TonAccount;
  /** The application's domain. */
  readonly domain: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly kind: (typeof KINDS)[number];
  readonly content: Buffer;
}

/** The bytes whose SHA-256 is signed. */
export function writeTonData({ account, domain, timestamp, kind, content }: TonData): Buffer {
  const name = Buffer.from(domain);
  const workchain = Buffer.alloc(WORKCHAIN_BYTES);
  workchain.writeInt32BE(account.workchain);
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(timestamp));
  const [nameLength, length] = [name.length, content.length].map((bytes) => bigEndian(bytes, LENGTH_BYTES));
  return Buffer.concat([
    ...[PREFIX, workchain, account.hash, nameLength!, name, time],
    ...[Buffer.from(kind), length!, content],
  ]);
}

/** Parses what `writeTonData` wrote. @throws UnreadableRequest */
export function readTonData(bytes: Buffer): TonData {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new UnreadableRequest('it ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const sized = (): Buffer => take(take(LENGTH_BYTES).readUInt32BE());
  if (!take(PREFIX.length).equals(PREFIX)) throw new UnreadableRequest('it is nothing that an application asks for');
  const workchain = take(WORKCHAIN_BYTES).readInt32BE();
  const account = { workchain, hash: take(HASH_BYTES) };
  const domain = sized().toString('utf8');
  const timestamp = Number(take(TIME_BYTES).readBigUInt64BE());
  const named = take(KIND_BYTES).toString('latin1');
  const kind = KINDS.find((one) => one === named);
  if (!kind) throw new UnreadableRequest('it has neither text nor bytes');
  const content = sized();
  if (at !== bytes.length) throw new UnreadableRequest('bytes are left over');
  return { account, domain, timestamp, kind, content };
}
