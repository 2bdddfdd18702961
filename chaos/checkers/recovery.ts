import type { Operation } from '../load/ledger.js';
import { atMost, type Finding } from './finding.js';

export interface Recovery {
  /** When the fault was over, on the clock of `performance.now`. */
  readonly endedAt: number;
  /** Most milliseconds from there to the first request that succeeds, and until nothing waits any more. */
  readonly firstSuccessMs?: number;
  readonly drainedMs?: number;
}

/** P6. @param drainedAt when nothing waited any more */
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
