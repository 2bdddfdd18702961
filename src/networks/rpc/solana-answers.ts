import { base58 } from '@scure/base';
import type { SolanaMint, TokenHolding } from './chain-reader.js';
import { ChainUnreadableError } from './chain-unreadable.error.js';
import { isOfNode, type RpcReply } from './json-rpc.js';

/** Token and Token-2022. */
export const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
/** Token program layout, shared by the start of Token-2022 accounts: mint 0, owner 32, amount 64; state 108. */
const ACCOUNT_BYTES = 165;
/** supply 36, decimals 44, initialised 45. */
const MINT_BYTES = 82;
/** Token-2022 marks the account type with this byte after the longest of the old layouts. */
const KIND_AT = 165;
const KIND_OF_MINT = 1;

export interface SlotAnswer<T> {
  value: T;
  blockNumber: bigint;
}

/** `{ context: { slot }, value }`. @throws ChainUnreadableError */
export function inContext<T>(reply: RpcReply | undefined, decode: (value: unknown) => T): SlotAnswer<T> {
  // Nodes refuse accounts with too much data for them, or that they do not index.
  if (reply?.error && !isOfNode(reply.error.code)) {
    throw new ChainUnreadableError('garbage', `the node refused (${reply.error.code})`, { isOfQuestion: true });
  }
  const result = reply?.result as { context?: { slot?: unknown }; value?: unknown } | null | undefined;
  const slot = result?.context?.slot;
  if (typeof slot !== 'number' || !Number.isSafeInteger(slot) || slot < 0 || !result || !('value' in result)) {
    throw garbage('the answer of the node has no slot');
  }
  return { value: decode(result.value), blockNumber: BigInt(slot) };
}

/** An unsigned 64-bit integer; values beyond 2^53 arrive as a bigint. */
export function lamportsOf(value: unknown): bigint {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  const lamports = isWhole ? BigInt(value as bigint | number) : -1n;
  if (lamports < 0n || lamports >= 2n ** 64n) throw garbage('lamports are a whole number');
  return lamports;
}

/** Token accounts of a list; one that is listed twice would count twice. */
function entriesOf(value: unknown): { account?: unknown }[] {
  if (!Array.isArray(value)) throw garbage('token accounts are a list');
  const entries = value as { account?: unknown; pubkey?: unknown }[];
  const names = entries.flatMap(({ pubkey }) => (pubkey === undefined ? [] : [pubkey]));
  if (new Set(names).size < names.length) throw garbage('a token account is listed twice');
  return entries;
}

/** The sum over token accounts, each of which must have this owner and mint. */
export function holdingOf(value: unknown, { owner, mint }: { owner: string; mint: string }): TokenHolding {
  const entries = entriesOf(value);
  let amount = 0n;
  for (const entry of entries) {
    const bytes = dataOf(entry.account);
    const isOurs = bytes && bytes.length >= ACCOUNT_BYTES && addressAt(bytes, 0) === mint;
    if (!isOurs || addressAt(bytes, 32) !== owner) throw garbage('a token account is of somebody else');
    amount += bytes.readBigUInt64LE(64);
  }
  return { amount, accounts: entries.length };
}

/** Amounts by mint, over token accounts that must each have this owner. */
export function amountsOf(value: unknown, owner: string): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const entry of entriesOf(value)) {
    const bytes = dataOf(entry.account);
    if (!bytes || bytes.length < 72 || addressAt(bytes, 32) !== owner) {
      throw garbage('a token account is of somebody else');
    }
    const mint = addressAt(bytes, 0);
    amounts.set(mint, (amounts.get(mint) ?? 0n) + bytes.readBigUInt64LE(64));
  }
  return amounts;
}

/** The contents of a token account. */
export interface TokenAccount {
  mint: string;
  owner: string;
  amount: bigint;
  /** Who may take `delegatedAmount` from it. */
  delegate: string | null;
  delegatedAmount: bigint;
  /** Who may close it in place of its owner. */
  closeAuthority: string | null;
  /** Whether it holds wrapped SOL: unlike others, it can be closed with all that it has. */
  isNative: boolean;
}

/**
 * Null if it is not a token account. Layout: mint 0, owner 32, amount 64, delegate 72, state 108, native 109, delegated
 * 121, close authority 129.
 */
export function tokenAccountOf(account: unknown): TokenAccount | null {
  const bytes = dataOf(account);
  if (!bytes || bytes.length < ACCOUNT_BYTES || (bytes.length > KIND_AT && bytes[KIND_AT] === KIND_OF_MINT))
    return null;
  if (bytes[108] === 0) return null;
  const hasDelegate = bytes.readUInt32LE(72) === 1;
  return {
    mint: addressAt(bytes, 0),
    owner: addressAt(bytes, 32),
    amount: bytes.readBigUInt64LE(64),
    delegate: hasDelegate ? addressAt(bytes, 76) : null,
    delegatedAmount: hasDelegate ? bytes.readBigUInt64LE(121) : 0n,
    closeAuthority: bytes.readUInt32LE(129) === 1 ? addressAt(bytes, 133) : null,
    isNative: bytes.readUInt32LE(109) === 1,
  };
}

/** Micro-lamports per compute unit, by recent block. */
export function feesOf(reply: RpcReply | undefined): bigint[] {
  if (!Array.isArray(reply?.result)) throw garbage('recent fees are a list');
  return (reply.result as { prioritizationFee?: unknown }[]).map(({ prioritizationFee }) =>
    lamportsOf(prioritizationFee),
  );
}

/** Null if it is not a mint. */
export function mintOf(value: unknown): SolanaMint | null {
  if (value === null) return null;
  const bytes = dataOf(value);
  if (!bytes) return null;
  const isMint = bytes.length === MINT_BYTES || (bytes.length > KIND_AT && bytes[KIND_AT] === KIND_OF_MINT);
  if (!isMint || bytes[45] !== 1) return null;
  return { supply: bytes.readBigUInt64LE(36), decimals: bytes[44]! };
}

/** The program that owns an account, and the account's data. */
export function accountOf(account: unknown): { program: string; data: Buffer } {
  const { owner, data } = (account ?? {}) as { owner?: unknown; data?: unknown };
  const [text, encoding] = Array.isArray(data) ? (data as unknown[]) : [];
  if (typeof text !== 'string' || encoding !== 'base64') throw garbage('an account has no data in base64');
  return { program: String(owner), data: Buffer.from(text, 'base64') };
}

/** The data of a token program's account, else null. */
function dataOf(account: unknown): Buffer | null {
  const { program, data } = accountOf(account);
  return TOKEN_PROGRAMS.includes(program) ? data : null;
}

const addressAt = (bytes: Buffer, at: number): string => base58.encode(bytes.subarray(at, at + 32));
const garbage = (message: string): ChainUnreadableError => new ChainUnreadableError('garbage', message);
