/** Keys per statement. */
const MOST_KEYS = 500;
/** Concurrent statements. Look-ups that arrive meanwhile wait and share the next one. */
const MOST_AT_ONCE = 4;

type Waiting<V> = PromiseWithResolvers<V | null>;

/**
 * Batches single-row look-ups whose keys untrusted callers can make up: however many arrive, the database sees only a
 * few statements at a time. A lone look-up runs at once.
 */
export class JoinedLookups<K extends string, V extends object> {
  private waiting = new Map<K, Waiting<V>>();
  private running = 0;

  constructor(private readonly findMany: (keys: K[]) => Promise<ReadonlyMap<K, V>>) {}

  find(key: K): Promise<V | null> {
    let own = this.waiting.get(key);
    if (!own) this.waiting.set(key, (own = Promise.withResolvers<V | null>()));
    if (this.running < MOST_AT_ONCE) void this.run();
    return own.promise;
  }

  private async run(): Promise<void> {
    this.running += 1;
    while (this.waiting.size > 0) await this.ask(this.take());
    this.running -= 1;
  }

  private take(): Map<K, Waiting<V>> {
    const batch = new Map([...this.waiting].slice(0, MOST_KEYS));
    for (const key of batch.keys()) this.waiting.delete(key);
    return batch;
  }

  private async ask(batch: ReadonlyMap<K, Waiting<V>>): Promise<void> {
    try {
      const found = await this.findMany([...batch.keys()]);
      for (const [key, { resolve }] of batch) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }
}
