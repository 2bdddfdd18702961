import { LRUCache } from 'lru-cache';

const MAX_KEPT = 2_000;

interface FlightOptions {
  /** For how long others are given the same answer; default not at all. */
  keptMs?: number;
  /** Asks anew although an answer is kept. */
  fresh?: boolean;
}

/** The same work asked for while it is under way is done once, and for a moment more. Failures are not kept. */
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
