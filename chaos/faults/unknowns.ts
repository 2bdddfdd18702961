import type { Ledger, Operation } from '../load/ledger.js';

/** Operations begun within a period whose outcome the client does not know. */
export function unknownsOf({ operations }: Ledger, from: number, to = Infinity): Operation[] {
  return operations.filter(({ outcome, invokedAt }) => outcome === 'unknown' && invokedAt >= from && invokedAt <= to);
}

/** Describes responses that are neither a success nor a proper 503. */
export function unlike503(operations: readonly Operation[]): string[] {
  return operations
    .filter(({ status }) => status !== 503)
    .map(({ kind, status, error }) => `${kind} was answered ${status ?? error}`);
}
