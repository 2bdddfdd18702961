import { crc16 } from './checksums.js';

const HASH_BYTES = 32;
const RAW = /^(0|-1):([0-9a-fA-F]{64})$/;
const FRIENDLY = /^[A-Za-z0-9+/_-]{48}$/;
/** First byte of a friendly address: whether undeliverable coins bounce back to the sender. */
const [BOUNCEABLE, NON_BOUNCEABLE] = [0x11, 0x51];

/** An account: its workchain, and the hash of its initial state. */
export interface TonAccount {
  readonly workchain: number;
  readonly hash: Buffer;
}

/** The friendly form that wallets display: non-bounceable, so coins stay even if the account is not yet in use. */
export function formatTonAddress({ workchain, hash }: TonAccount): string {
  const named = Buffer.concat([Buffer.of(NON_BOUNCEABLE, workchain & 0xff), hash]);
  return Buffer.concat([named, crc16(named)]).toString('base64url');
}

/** Parses any form of a main network address; null for any other text. */
export function parseTonAddress(text: string): TonAccount | null {
  const [, workchain, digits] = RAW.exec(text) ?? [];
  if (digits !== undefined) return { workchain: Number(workchain), hash: Buffer.from(digits, 'hex') };
  if (!FRIENDLY.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  const named = bytes.subarray(0, 2 + HASH_BYTES);
  const [flags, chain] = named;
  if ((flags !== BOUNCEABLE && flags !== NON_BOUNCEABLE) || (chain !== 0 && chain !== 0xff)) return null;
  if (!crc16(named).equals(bytes.subarray(named.length))) return null;
  return { workchain: chain === 0 ? 0 : -1, hash: named.subarray(2) };
}

/** The canonical form for comparing addresses; null if the text is not an address. */
export function normalTonAddress(text: string): string | null {
  const account = parseTonAddress(text);
  return account && formatTonAddress(account);
}
