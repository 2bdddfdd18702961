import type { HeldRule } from './gate-rules.js';
import { baseUnitsOf } from './token-amount.js';

/** A verified wallet of a user, normalised. */
export interface HeldWallet {
  chain: string;
  address: string;
  /** The only network on which the user controls the address; absent when it is theirs on every network. */
  networkId?: number;
}

export type Verdict = 'met' | 'notMet' | 'unreadable';

/** The finding for a rule, with everything that decided it. */
export interface RuleFinding {
  rule: HeldRule;
  verdict: Verdict;
  /** In base units. */
  threshold: bigint | null;
  total: bigint | null;
  decimals: number | null;
  holdings: { address: string; amount: bigint }[];
  blockNumber: bigint | null;
  /** Time of the oldest read it is based on, in milliseconds since the Unix epoch. */
  readAt: number | null;
  /** The reason for the verdict, where the numbers do not show it. */
  reason?: string;
}

export interface Holdings {
  holdings: { address: string; amount: bigint }[];
  /** Null when the contract does not report them. */
  decimals: number | null;
  blockNumber: bigint;
  readAt: number;
}

/** The number of digits in a 256-bit number; more decimals are implausible. */
const MOST_DECIMALS = 77;

/**
 * Compares the sum over all wallets with the required amount. Amounts are in whole tokens, so decimals are required: if
 * a contract does not report them, even temporarily, the amount must not be taken as base units.
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

/** All rules of a gate must be met. One that is not met decides, even if others cannot be read. */
export function verdictOf(findings: readonly RuleFinding[]): Verdict {
  if (findings.some(({ verdict }) => verdict === 'notMet')) return 'notMet';
  return findings.some(({ verdict }) => verdict === 'unreadable') ? 'unreadable' : 'met';
}
