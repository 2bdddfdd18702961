/** Keys of one statement. */
const MOST_KEYS = 500;
/** Statements at once. What comes while they run waits for the next one and shares it. */
const MOST_AT_ONCE = 4;

type Waiting<V> = PromiseWithResolvers<V | null>;

/**
 * Look-ups of single rows that strangers can cause with keys they make up: however many they send, the database sees a
 * few statements at a time. Alone, a look-up is asked at once.
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
