import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../test/support/ports.js';
import { findProgram } from '../../test/support/programs.js';
import { endWith, spawnLogged, untilListening } from './server-child.js';

/** What survives a server crash: nothing, or everything except the last second. */
export type RedisProfile = 'memory' | 'aof';

/** A Redis of this run alone, on a fixed port. */
export class ChaosRedis {
  private constructor(
    private readonly folder: string,
    private readonly profile: RedisProfile,
    readonly port: number,
    private child: ChildProcess,
  ) {}

  static async start(folder: string, profile: RedisProfile): Promise<ChaosRedis> {
    mkdirSync(join(folder, 'redis'), { recursive: true });
    const port = await freePort();
    return new ChaosRedis(folder, profile, port, await launch(folder, profile, port));
  }

  url(port = this.port): string {
    return `redis://127.0.0.1:${port}`;
  }

  /** Sends a command as an operator would, such as `FLUSHALL`. */
  async command(name: string, ...words: (string | number)[]): Promise<unknown> {
    const client = new Redis(this.port, '127.0.0.1', { lazyConnect: true, maxRetriesPerRequest: 1 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...words);
    } finally {
      client.disconnect();
    }
  }

  async kill(): Promise<void> {
    await endWith(this.child, 'SIGKILL');
  }

  async restart(): Promise<void> {
    this.child = await launch(this.folder, this.profile, this.port);
  }

  async stop(): Promise<void> {
    await endWith(this.child, 'SIGKILL');
  }
}

async function launch(folder: string, profile: RedisProfile, port: number): Promise<ChildProcess> {
  const program = findProgram('redis-server') ?? findProgram('valkey-server');
  if (!program) throw new Error('The run needs Redis: install redis-server or valkey-server.');
  const keeping = profile === 'aof' ? { appendonly: 'yes', appendfsync: 'everysec' } : { appendonly: 'no' };
  const settings = { port, bind: '127.0.0.1', save: '', dir: join(folder, 'redis'), ...keeping };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const log = join(folder, 'redis.log');
  const child = spawnLogged([program, ...words], { log, cwd: folder });
  await untilListening(child, port, log);
  return child;
}
