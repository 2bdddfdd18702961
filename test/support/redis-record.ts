import { Redis } from 'ioredis';
import { RedisMonitor } from './redis-monitor.js';

/** Everything sent to a Redis server from now on, and what it holds in the end. */
export class RedisRecord {
  private constructor(
    private readonly client: Redis,
    private readonly monitor: RedisMonitor,
  ) {}

  static async start(url: string): Promise<RedisRecord> {
    const client = new Redis(url);
    // Counters of earlier test files would be taken for its own.
    await client.flushdb();
    return new RedisRecord(client, await RedisMonitor.start(url));
  }

  /** Commands with their arguments, in order. */
  get commands(): string {
    return this.monitor.commands;
  }

  /** The current keys and values. */
  async content(): Promise<string> {
    const found: string[] = [];
    for await (const keys of this.client.scanStream({ count: 1000 })) {
      for (const key of keys as string[]) found.push(`${key} ${JSON.stringify(await this.valueOf(key))}`);
    }
    return found.join('\n');
  }

  async stop(): Promise<void> {
    await this.monitor.stop();
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
