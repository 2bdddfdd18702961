import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import { scriptOf, sha256 } from '../bitcoin-script.js';
import { parsePsbt } from '../psbt.js';
import type { SigningAccount } from '../signable.js';
import { coins, UNKNOWN, type Effect, type RequestOf, type Unknown } from './effect.js';

const base58check = createBase58check(sha256);
const PREFIX = 'bc';
const CHECKSUM_BYTES = 4;

/** Output scripts that have an address: the bytes before the hash, its length, and the bytes after it. */
const FORMS: readonly [before: string, bytes: number, after: string, address: (hash: Buffer) => string][] = [
  ['0014', 20, '', (hash) => bech32.encode(PREFIX, [0, ...bech32.toWords(hash)])],
  ['0020', 32, '', (hash) => bech32.encode(PREFIX, [0, ...bech32.toWords(hash)])],
  ['5120', 32, '', (hash) => bech32m.encode(PREFIX, [1, ...bech32m.toWords(hash)])],
  ['76a914', 20, '88ac', (hash) => base58check.encode(Buffer.concat([Buffer.of(0x00), hash]))],
  ['a914', 20, '87', (hash) => base58check.encode(Buffer.concat([Buffer.of(0x05), hash]))],
];

/** Every output that does not come back to the wallet. */
export function psbtEffects({ address }: SigningAccount, { psbt }: RequestOf<'psbt'>): Effect[] {
  const own = scriptOf(address);
  return parsePsbt(Buffer.from(psbt))
    .transaction.outputs.filter(({ script }) => !script.equals(own))
    .map(({ script, value }) => coins(addressOf(script), value.readBigUInt64LE()));
}

function addressOf(script: Buffer): string | Unknown {
  for (const [before, bytes, after, address] of FORMS) {
    const [head, tail] = [Buffer.from(before, 'hex'), Buffer.from(after, 'hex')];
    const fits =
      script.length === head.length + bytes + tail.length &&
      script.subarray(0, head.length).equals(head) &&
      script.subarray(head.length + bytes).equals(tail);
    if (fits) return address(Buffer.from(script.subarray(head.length, head.length + bytes)));
  }
  return UNKNOWN;
}

/** Whether an output can have this address: it is in one of the forms above, with a correct checksum. */
export function isBitcoinReceiver(text: string): boolean {
  const hash = hashIn(text);
  const written = text.startsWith(`${PREFIX.toUpperCase()}1`) ? text.toLowerCase() : text;
  return hash !== null && FORMS.some(([, bytes, , address]) => hash.length === bytes && address(hash) === written);
}

/** Without regard to version and checksum, which are compared once they are written again. */
function hashIn(text: string): Buffer | null {
  try {
    if (!/^bc1/i.test(text)) return Buffer.from(base58.decode(text).subarray(1, -CHECKSUM_BYTES));
    const decoded = bech32.decodeUnsafe(text) ?? bech32m.decode(text as `bc1${string}`);
    return Buffer.from(bech32.fromWords(decoded.words.slice(1)));
  } catch {
    return null;
  }
}
