/** The goal of a figure. A ratio or rate must reach it; a time, size or growth must stay below it. */
export interface Goal {
  /** The unit of the figure, which decides how it is printed. */
  readonly unit: 'ratio' | 'per second' | 'ms' | 'MiB' | 's' | 'times';
  readonly better: 'higher' | 'lower';
  readonly must: number;
  readonly aim: number;
}

export type Verdict = 'aim' | 'must' | 'MISSED';

const ratio = (must: number, aim: number): Goal => ({ unit: 'ratio', better: 'higher', must, aim });
const atMost = (unit: Goal['unit'], must: number, aim: number): Goal => ({ unit, better: 'lower', must, aim });
const GROWTH = atMost('times', 1.5, 1.2);

/** Every row of the table, in order. Ratios are relative to the bare server; `create wallet` to `create user`. */
export const GOALS = {
  health: ratio(0.6, 0.8),
  JWKS: ratio(0.6, 0.8),
  'session check': ratio(0.6, 0.85),
  'get user': ratio(0.45, 0.65),
  'list of 50 users': ratio(0.65, 0.85),
  'create user': ratio(0.4, 0.6),
  'sign-in to token': ratio(0.45, 0.7),
  'sign-in with a wallet': ratio(0.45, 0.7),
  'sign-in with a passkey': ratio(0.45, 0.7),
  'sign-in with an OAuth code': ratio(0.45, 0.7),
  'create wallet, EVM and SOL': ratio(0.25, 0.4),
  /** Relative to reading the key's row and signing with a key in memory. */
  'sign with a key of the service': ratio(0.5, 0.75),
  'ledger verification, 100 000 rows': atMost('s', 10, 5),
  /** Relative to the service's own sign-in with the allowlist disabled. */
  'sign-in with an allowlist of 100 000': ratio(0.95, 0.97),
  /** Relative to the service's same operation without it. It is opt-in, so there is no required minimum. */
  'session check with row-level security': ratio(0, 0.9),
  'get user with row-level security': ratio(0, 0.9),
  'create user with row-level security': ratio(0, 0.9),
  /** Relative to the computation of both sides in the same run, minus two round trips. */
  'FROST signature to its arithmetic': atMost('times', 1.5, 1.5),
  /** Relative to the same number in sequence. */
  'FROST, 50 signatures at once': atMost('times', 1, 0.7),
  /** Relative to the service's own sign-in with the gates disabled. */
  'sign-in with three gates': ratio(0.9, 0.97),
  'webhook deliveries': { unit: 'per second', better: 'higher', must: 2000, aim: 2000 },
  'deliveries to Bull + POST + row': ratio(0, 0.75),
  'event to receiver, idle': atMost('ms', 15, 8),
  /** The 99th percentile; the others are medians. */
  'event to receiver, 100 a second': atMost('ms', 150, 150),
  'event to receiver, 16 connections': atMost('ms', 50, 25),
  /** The node runs on the same machine, and simulates a payment. */
  'balances of 5 accounts and 50 tokens, cold': atMost('ms', 150, 75),
  'balances of 5 accounts and 50 tokens, warm': atMost('ms', 15, 8),
  'simulation, share beside the node': atMost('ms', 10, 5),
  'growth of get user': GROWTH,
  'growth of list of 50': GROWTH,
  'growth of create user': GROWTH,
  'memory, idle': atMost('MiB', 150, 125),
  'memory, loaded': atMost('MiB', 280, 220),
  'memory of the signer, idle': atMost('MiB', 90, 70),
  'memory of the signer, loaded': atMost('MiB', 140, 110),
  'start, schema in place': atMost('s', 1, 0.7),
} as const satisfies Record<string, Goal>;

export type RowName = keyof typeof GOALS;

/** @throws RangeError without a figure: a row that measured nothing has not passed. */
export function verdict(goal: Goal, figure: number): Verdict {
  if (!Number.isFinite(figure)) throw new RangeError('a verdict needs a figure');
  const reaches = (bound: number): boolean => (goal.better === 'higher' ? figure >= bound : figure <= bound);
  if (!reaches(goal.must)) return 'MISSED';
  return reaches(goal.aim) ? 'aim' : 'must';
}
