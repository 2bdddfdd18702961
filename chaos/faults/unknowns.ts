import type { Ledger, Operation } from '../load/ledger.js';

/** Operations that began within a time and whose clients learned nothing of what became of them. */
export function unknownsOf({ operations }: Ledger, from: number, to = Infinity): Operation[] {
  return operations.filter(({ outcome, invokedAt }) => outcome === 'unknown' && invokedAt >= from && invokedAt <= to);
}

/** Sentences about answers that are neither a success nor an honest 503. */
export function unlike503(operations: readonly Operation[]): string[] {
  return operations
    .filter(({ status }) => status !== 503)
    .map(({ kind, status, error }) => `${kind} was answered ${status ?? error}`);
}
