import type { ExchangeTransfer } from './exchange-transfer.entity.js';
import type { VendorTransaction } from './exchange-vendor.js';
import { recipientKey } from './recipient.js';

/** Clocks of vendors differ from ours by less. */
const SKEW_MS = 120_000;

type Sought = Pick<ExchangeTransfer, 'id' | 'recipient' | 'amount' | 'currency' | 'sentAt'>;

/** Another payout of the same person; its reference is null while it is open. */
export type OtherPayout = Pick<ExchangeTransfer, 'reference' | 'amount'>;

/**
 * The payout among the transactions of an account. By the key it was sent with; where the vendor keeps none, by what it
 * was, since nothing equal is sent while it is open. One that belongs to another payout is not taken for it, and neither
 * is one that is likelier to belong to another that is open.
 */
export function findPayout(
  sought: Sought,
  transactions: readonly VendorTransaction[],
  others: readonly OtherPayout[],
): VendorTransaction | null {
  const byKey = transactions.find(({ idempotencyKey }) => idempotencyKey === sought.id);
  if (byKey) return byKey;
  const { amount } = sought;
  const alike = transactions.filter((one) => isAlike(sought, one) && !ownerOf(one, others));
  const isOfOpen = (likeliest: string | undefined): boolean =>
    others.some((other) => other.reference === null && other.amount === likeliest);
  return (
    alike.find(({ asked }) => asked?.[0] === amount) ??
    alike.find((one) =>
      one.asked ? one.asked.includes(amount) && !isOfOpen(one.asked[0]) : Math.abs(one.amount) === Number(amount),
    ) ??
    null
  );
}

/**
 * Whether one is listed that could be the payout, where what is listed is not what was asked for: its fee may have been
 * reckoned otherwise than it is understood here, or it was taken for a payout of another amount. Then nothing is settled.
 */
export const mayHideAPayout = (
  sought: Sought,
  transactions: readonly VendorTransaction[],
  others: readonly OtherPayout[],
): boolean =>
  transactions.some((one) => {
    if (!one.asked || !isAlike(sought, one)) return false;
    const owner = ownerOf(one, others);
    return !owner || (owner.amount !== sought.amount && one.asked.includes(sought.amount));
  });

const ownerOf = ({ reference }: VendorTransaction, others: readonly OtherPayout[]): OtherPayout | undefined =>
  others.find((other) => other.reference === reference);

/** Whether it went to the same place at that time, whatever its amount. One with a key is found by its key alone. */
const isAlike = ({ recipient, currency, sentAt }: Sought, one: VendorTransaction): boolean =>
  !one.idempotencyKey &&
  recipientKey(one.recipient ?? '') === recipientKey(recipient) &&
  one.currency === currency &&
  one.createdAt.getTime() >= sentAt.getTime() - SKEW_MS;

/** Vendors list so many at once, of which the oldest are left out. */
const MOST_LISTED = 100;

/** Whether what a vendor lists goes back to before a payout was sent, so that one that is missing there has not arrived. */
export const reachesBackTo = (sentAt: Date, transactions: readonly VendorTransaction[]): boolean =>
  transactions.length < MOST_LISTED ||
  transactions.some(({ createdAt }) => createdAt.getTime() < sentAt.getTime() - SKEW_MS);
