import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** Everything that anybody sends to a Redis server from now on, and what it holds in the end. */
export class RedisRecord {
  private readonly lines: string[] = [];

  private constructor(
    private readonly client: Redis,
    private readonly monitor: Redis,
  ) {}

  static async start(url: string): Promise<RedisRecord> {
    const client = new Redis(url);
    // Counters of the test files before this one would be taken for its own.
    await client.flushdb();
    const monitor = await client.monitor();
    const record = new RedisRecord(client, monitor);
    monitor.on('monitor', (_time: string, words: string[]) => record.lines.push(words.join(' ')));
    return record;
  }

  /** Commands with their arguments, in order. */
  get commands(): string {
    return this.lines.join('\n');
  }

  /** Keys and values as they are now. */
  async content(): Promise<string> {
    const found: string[] = [];
    for await (const keys of this.client.scanStream({ count: 1000 })) {
      for (const key of keys as string[]) found.push(`${key} ${JSON.stringify(await this.valueOf(key))}`);
    }
    return found.join('\n');
  }

  async stop(): Promise<void> {
    await delay(50);
    this.monitor.disconnect();
    this.client.disconnect();
  }

  private async valueOf(key: string): Promise<unknown> {
    const type = await this.client.type(key);
    switch (type) {
      case 'string':
        return this.client.get(key);
      case 'hash':
        return this.client.hgetall(key);
      case 'list':
        return this.client.lrange(key, 0, -1);
      case 'set':
        return this.client.smembers(key);
      case 'zset':
        return this.client.zrange(key, 0, -1, 'WITHSCORES');
      case 'stream':
        return this.client.xrange(key, '-', '+');
      case 'none':
        return null;
      default:
        throw new Error(`A value of the type ${type} is not read.`);
    }
  }
}
