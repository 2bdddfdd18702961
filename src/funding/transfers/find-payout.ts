import type { ExchangeTransfer } from './exchange-transfer.entity.js';
import type { VendorTransaction } from './exchange-vendor.js';
import { recipientKey } from './recipient.js';

/** Upper bound for the clock difference between a vendor and this service. */
const SKEW_MS = 120_000;

type Sought = Pick<ExchangeTransfer, 'id' | 'recipient' | 'amount' | 'currency' | 'sentAt'>;

/** Another payout of the same user; its reference is null while it is open. */
export type OtherPayout = Pick<ExchangeTransfer, 'reference' | 'amount'>;

/**
 * Finds the payout among an account's transactions: by the key it was sent with or, if the vendor keeps none, by its
 * details, since no equal payout is sent while it is open. A transaction of another payout is not matched, nor one that
 * is likelier to belong to another open payout.
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
 * Whether a listed transaction could still be the payout although the amounts differ: the vendor may calculate its fee
 * differently, or it was matched to a payout of another amount. Then nothing is settled.
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

/** Whether it went to the same recipient since that time, in any amount. One with a key is matched by its key only. */
const isAlike = ({ recipient, currency, sentAt }: Sought, one: VendorTransaction): boolean =>
  !one.idempotencyKey &&
  recipientKey(one.recipient ?? '') === recipientKey(recipient) &&
  one.currency === currency &&
  one.createdAt.getTime() >= sentAt.getTime() - SKEW_MS;

/** Vendors list this many transactions at most, omitting the oldest. */
const MOST_LISTED = 100;

/** Whether the list reaches back to before the payout was sent, so that a payout missing from it has not arrived. */
export const reachesBackTo = (sentAt: Date, transactions: readonly VendorTransaction[]): boolean =>
  transactions.length < MOST_LISTED ||
  transactions.some(({ createdAt }) => createdAt.getTime() < sentAt.getTime() - SKEW_MS);
