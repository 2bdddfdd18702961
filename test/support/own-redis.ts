import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from './ports.js';
import { findProgram } from './programs.js';

/** A Redis for one test, which may break it at will; without persistence. */
export class OwnRedis {
  private readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-own-redis-'));
  private child: ChildProcess | null = null;

  private constructor(readonly port: number) {}

  static async start(): Promise<OwnRedis> {
    const redis = new OwnRedis(await freePort());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async restart(): Promise<void> {
    const program = findProgram('redis-server') ?? findProgram('valkey-server');
    if (!program) throw new Error('The test needs redis-server or valkey-server on the PATH.');
    const settings = { port: this.port, bind: '127.0.0.1', dir: this.folder, save: '', appendonly: 'no' };
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.child = spawn(program, words, { stdio: 'ignore' });
    for (let attempt = 0; attempt < 200; attempt++) {
      if (await this.command('PING').catch(() => null)) return;
      await sleep(25);
    }
    throw new Error('Redis did not answer.');
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async command(name: string, ...words: string[]): Promise<unknown> {
    const client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.call(name, ...words);
    } finally {
      client.disconnect();
    }
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
