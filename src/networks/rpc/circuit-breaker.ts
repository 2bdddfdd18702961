import { leastRecent } from '../../common/least-recent.js';

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 10_000;
/** Tenants choose addresses and choose others: those that nobody has asked for longest are forgotten. */
const MAX_CIRCUITS = 10_000;

interface Circuit {
  failures: number;
  /** Until when nothing is tried; after it, one caller tries. */
  openUntil: number;
}

/** Spares nodes that keep failing: after five failures in a row, one try in ten seconds. */
export class CircuitBreaker {
  private readonly circuits = leastRecent<string, Circuit>(MAX_CIRCUITS);

  /** Whether to try. The first to ask after the pause tries for all. */
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

  /** Whoever refuses is there, so a pause is over; failures in a row that have not come to one are counted on. */
  refused(key: string): void {
    if ((this.circuits.get(key)?.failures ?? 0) >= FAILURES_TO_OPEN) this.circuits.delete(key);
  }

  failed(key: string, now: number): void {
    const failures = (this.circuits.get(key)?.failures ?? 0) + 1;
    this.circuits.set(key, { failures, openUntil: now + OPEN_MS });
  }
}
