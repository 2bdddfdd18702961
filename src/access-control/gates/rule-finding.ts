import type { HeldRule } from './gate-rules.js';
import { baseUnitsOf } from './token-amount.js';

/** A wallet that a user has proven to have, in normal form. */
export interface HeldWallet {
  chain: string;
  address: string;
  /** The only network on which the address is that person's; absent where it is on each. */
  networkId?: number;
}

export type Verdict = 'met' | 'notMet' | 'unreadable';

/** What was found out about a rule: all that decided it. */
export interface RuleFinding {
  rule: HeldRule;
  verdict: Verdict;
  /** Base units. */
  threshold: bigint | null;
  total: bigint | null;
  decimals: number | null;
  holdings: { address: string; amount: bigint }[];
  blockNumber: bigint | null;
  /** Of the oldest answer it rests on, in milliseconds since the Unix epoch. */
  readAt: number | null;
  /** Why the verdict is what it is, where the numbers do not say. */
  reason?: string;
}

export interface Holdings {
  holdings: { address: string; amount: bigint }[];
  /** Null where the contract does not tell. */
  decimals: number | null;
  blockNumber: bigint;
  readAt: number;
}

/** More decimals than a number of 256 bit has digits are no decimals. */
const MOST_DECIMALS = 77;

/**
 * The sum over all wallets against what the rule asks for. An amount is of whole tokens, which only decimals tell: where a
 * contract does not tell them, or refuses to for a while, it must not become an amount of base units.
 */
export function findingOf(rule: HeldRule, { holdings, decimals, blockNumber, readAt }: Holdings): RuleFinding {
  const total = holdings.reduce((sum, { amount }) => sum + amount, 0n);
  const places = rule.type === 'nft' ? 0 : decimals;
  const amount = rule.filter?.amount;
  const reason = whyNoAmount(places, amount);
  const threshold = amount === undefined || places === null || reason ? 1n : baseUnitsOf(amount, places);
  const verdict = !reason && total >= threshold ? 'met' : 'notMet';
  return {
    ...{ rule, verdict, threshold: reason ? null : threshold, total, decimals: places, holdings, blockNumber, readAt },
    ...(reason && { reason }),
  };
}

function whyNoAmount(decimals: number | null, amount: number | undefined): string | null {
  if (decimals === null) return amount === undefined ? null : 'the contract does not tell its decimals';
  return decimals > MOST_DECIMALS ? 'the contract tells more decimals than there can be' : null;
}

const UNKNOWN = { threshold: null, total: null, decimals: null, holdings: [], blockNumber: null, readAt: null };

export const withoutWallets = (rule: HeldRule): RuleFinding => ({
  ...{ ...UNKNOWN, rule, verdict: 'notMet', total: 0n },
  reason: 'no wallet on this chain',
});

export const unreadable = (rule: HeldRule, reason: string): RuleFinding => ({
  ...{ ...UNKNOWN, rule, verdict: 'unreadable', reason },
});

/** All rules of a gate must hold. One that does not hold decides, whatever cannot be read. */
export function verdictOf(findings: readonly RuleFinding[]): Verdict {
  if (findings.some(({ verdict }) => verdict === 'notMet')) return 'notMet';
  return findings.some(({ verdict }) => verdict === 'unreadable') ? 'unreadable' : 'met';
}
