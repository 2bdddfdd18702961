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
export const formatTonAddress = (account: TonAccount): string =>
  friendlyBytes(account, NON_BOUNCEABLE).toString('base64url');

function friendlyBytes({ workchain, hash }: TonAccount, flags: number): Buffer {
  const named = Buffer.concat([Buffer.of(flags, workchain & 0xff), hash]);
  return Buffer.concat([named, crc16(named)]);
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

/** Every form that an account has: raw, and friendly with either flag in either Base64; the canonical one first. */
export function tonSpellings(account: TonAccount): string[] {
  const friendly = [NON_BOUNCEABLE, BOUNCEABLE].map((flags) => friendlyBytes(account, flags));
  const encoded = friendly.flatMap((bytes) => [bytes.toString('base64url'), bytes.toString('base64')]);
  return [...new Set([...encoded, `${account.workchain}:${account.hash.toString('hex')}`])];
}

/** CRC-16 with the polynomial 0x1021, used at the end of addresses. */
function crc16(bytes: Uint8Array): Buffer {
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) rest = (rest << 1) ^ (rest & 0x8000 ? 0x1021 : 0);
    rest &= 0xffff;
  }
  return Buffer.of(rest >> 8, rest & 0xff);
}
