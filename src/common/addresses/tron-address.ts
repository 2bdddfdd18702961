import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';

const base58check = createBase58check(sha256);
const BASE58 = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const HEX = /^41[0-9a-f]{40}$/i;
/** First byte of an address of the main network. */
const PREFIX = 0x41;
const BYTES = 21;

/** The account of an address in Base58Check, the form that wallets display; null for any other text. */
export function parseTronAddress(text: string): Uint8Array | null {
  if (!BASE58.test(text)) return null;
  try {
    const bytes = base58check.decode(text);
    return bytes.length === BYTES && bytes[0] === PREFIX ? bytes.subarray(1) : null;
  } catch {
    return null;
  }
}

/** Both forms that an account has, that of wallets first, then that of its nodes in hex; null if it is no address. */
export function tronSpellings(text: string): [string, ...string[]] | null {
  if (HEX.test(text)) return [base58check.encode(Buffer.from(text, 'hex')), text.toLowerCase()];
  const account = parseTronAddress(text);
  return account && [text, `${PREFIX.toString(16)}${Buffer.from(account).toString('hex')}`];
}
