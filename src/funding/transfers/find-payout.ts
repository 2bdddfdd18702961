import type { ExchangeTransfer } from './exchange-transfer.entity.js';
import type { VendorTransaction } from './exchange-vendor.js';

/** Clocks of vendors differ from ours by less. */
const SKEW_MS = 120_000;

type Sought = Pick<ExchangeTransfer, 'id' | 'recipient' | 'amount' | 'currency' | 'sentAt'>;

/**
 * The payout among the transactions of an account. By the key it was sent with; where the vendor keeps none, by what it
 * was, since nothing equal is sent while it is open. One that belongs to another payout is not taken for it.
 */
export function findPayout(
  sought: Sought,
  transactions: readonly VendorTransaction[],
  ofOthers: ReadonlySet<string>,
): VendorTransaction | null {
  const byKey = transactions.find(({ idempotencyKey }) => idempotencyKey === sought.id);
  if (byKey) return byKey;
  const isEqual = (one: VendorTransaction): boolean =>
    !one.idempotencyKey &&
    !ofOthers.has(one.reference) &&
    one.recipient?.toLowerCase() === sought.recipient.toLowerCase() &&
    one.currency === sought.currency &&
    Math.abs(one.amount) === Number(sought.amount) &&
    one.createdAt.getTime() >= sought.sentAt.getTime() - SKEW_MS;
  return transactions.find(isEqual) ?? null;
}

/** Vendors list so many at once, of which the oldest are left out. */
const MOST_LISTED = 100;

/** Whether what a vendor lists goes back to before a payout was sent, so that one that is missing there has not arrived. */
export const reachesBackTo = (sentAt: Date, transactions: readonly VendorTransaction[]): boolean =>
  transactions.length < MOST_LISTED ||
  transactions.some(({ createdAt }) => createdAt.getTime() < sentAt.getTime() - SKEW_MS);
