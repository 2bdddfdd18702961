import { leastRecent } from '../../common/least-recent.js';

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 10_000;
/** Tenants can keep choosing new URLs: the least recently used circuits are dropped. */
const MAX_CIRCUITS = 10_000;

interface Circuit {
  failures: number;
  /** No attempts until then; afterwards one caller tries. */
  openUntil: number;
}

/** Spares nodes that keep failing: after five failures in a row, one attempt every ten seconds. */
export class CircuitBreaker {
  private readonly circuits = leastRecent<string, Circuit>(MAX_CIRCUITS);

  /** Whether to try. The first caller after the pause tries for all. */
  admits(key: string, now: number): boolean {
    const circuit = this.circuits.get(key);
    if (!circuit || circuit.failures < FAILURES_TO_OPEN) return true;
    if (now < circuit.openUntil) return false;
    circuit.openUntil = now + OPEN_MS;
    return true;
  }

  succeeded(key: string): void {
    this.circuits.delete(key);
  }

  /** A node that refuses is reachable, so an open circuit closes; a shorter failure streak still counts. */
  refused(key: string): void {
    if ((this.circuits.get(key)?.failures ?? 0) >= FAILURES_TO_OPEN) this.circuits.delete(key);
  }

  failed(key: string, now: number): void {
    const failures = (this.circuits.get(key)?.failures ?? 0) + 1;
    this.circuits.set(key, { failures, openUntil: now + OPEN_MS });
  }
}
