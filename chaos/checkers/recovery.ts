import type { Operation } from '../load/ledger.js';
import { atMost, type Finding } from './finding.js';

export interface Recovery {
  /** When the fault ended, by `performance.now`. */
  readonly endedAt: number;
  /** Maximum milliseconds from then to the first successful request, and until nothing is pending. */
  readonly firstSuccessMs?: number;
  readonly drainedMs?: number;
}

/** P6. @param drainedAt when nothing was pending any more */
export function checkRecovery(
  operations: readonly Operation[],
  drainedAt: number,
  { endedAt, firstSuccessMs, drainedMs }: Recovery,
): Finding[] {
  const findings: Finding[] = [];
  if (firstSuccessMs !== undefined) {
    const after = operations.filter(({ invokedAt, outcome }) => invokedAt >= endedAt && outcome === 'ok');
    const first = Math.min(...after.map((operation) => operation.endedAt ?? Infinity)) - endedAt;
    findings.push(atMost('P6 first success', first, firstSuccessMs, ' ms'));
  }
  if (drainedMs !== undefined) {
    findings.push(atMost('P6 drained', Math.max(0, drainedAt - endedAt), drainedMs, ' ms'));
  }
  return findings;
}
