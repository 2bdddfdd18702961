import { LRUCache } from 'lru-cache';

const MAX_KEPT = 2_000;

interface FlightOptions {
  /** How long others get the same answer; by default not at all. */
  keptMs?: number;
  /** Asks again even if an answer is cached. */
  fresh?: boolean;
}

/** Runs identical concurrent work once, and reuses the result a moment longer. Failures are not cached. */
export class SingleFlight<T> {
  private readonly underWay = new Map<string, Promise<T>>();
  private readonly kept = new LRUCache<string, { value: T }>({ max: MAX_KEPT });

  run(key: string, work: () => Promise<T>, { keptMs = 0, fresh = false }: FlightOptions = {}): Promise<T> {
    const known = fresh ? undefined : this.kept.get(key);
    if (known) return Promise.resolve(known.value);
    return this.underWay.get(key) ?? this.start(key, work, keptMs);
  }

  private start(key: string, work: () => Promise<T>, keptMs: number): Promise<T> {
    const asked = work()
      .then((value) => {
        if (keptMs > 0) this.kept.set(key, { value }, { ttl: keptMs });
        return value;
      })
      .finally(() => this.underWay.delete(key));
    this.underWay.set(key, asked);
    return asked;
  }
}
