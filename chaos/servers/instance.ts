import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endWith, hasEnded, spawnLogged } from './server-child.js';

export type Environment = Readonly<Record<string, string>>;

export interface InstanceWish {
  /** Such as `api1`; also the name of its log. */
  readonly name: string;
  readonly role: 'api' | 'worker';
  /** Root of the build to run. */
  readonly root: string;
  readonly port: number;
  readonly folder: string;
  readonly environment: Environment;
}

/** The options of `npm start` and of the image. */
const NODE_OPTIONS = ['--min-semi-space-size=8', '--max-semi-space-size=8'];
const START_MS = 60_000;
const POLL_MS = 10;
/** Logged by a worker, which has no port, when it has started. */
const STARTED = 'Gatehouse is ready';

/** A process of the service. On a restart it keeps its port, settings and log. */
export class Instance {
  private child: ChildProcess | null = null;
  private environment: Environment;
  private respawning = false;
  /** Whether the next exit was requested. */
  private expected = false;
  /** Where the current process's output begins in the log. */
  private from = 0;
  /** Exits that were not requested. */
  crashes = 0;

  constructor(private readonly wish: InstanceWish) {
    this.environment = wish.environment;
  }

  get name(): string {
    return this.wish.name;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.wish.port}`;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child !== null && !hasEnded(this.child);
  }

  get log(): string {
    return join(this.wish.folder, `${this.wish.name}.log`);
  }

  /** Takes effect on the next start. */
  set(environment: Environment): void {
    this.environment = { ...this.environment, ...environment };
  }

  /** Restarts it whenever it exits unexpectedly, as an orchestrator does. */
  respawn(on: boolean): void {
    this.respawning = on;
  }

  /** Resolves when it is working. */
  async start(): Promise<void> {
    this.spawn();
    await this.untilReady();
  }

  async untilReady(): Promise<void> {
    const deadline = performance.now() + START_MS;
    while (performance.now() < deadline && (this.isRunning || this.respawning)) {
      if (await this.isReady()) return;
      await delay(POLL_MS);
    }
    throw new Error(`${this.name} does not start:\n${readFileSync(this.log, 'utf8').slice(-3000)}`);
  }

  /** Whether it accepts requests, or has begun to work. */
  async isReady(): Promise<boolean> {
    if (!this.isRunning) return false;
    if (this.wish.role === 'worker') return readFileSync(this.log).subarray(this.from).includes(STARTED);
    const answer = await fetch(`${this.origin}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.ok ?? false;
  }

  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** @returns milliseconds until it had exited, and its exit code */
  async terminate(): Promise<{ ms: number; code: number | null }> {
    const from = performance.now();
    await this.end('SIGTERM');
    return { ms: performance.now() - from, code: this.child?.exitCode ?? null };
  }

  /** For the end of a world. Paused processes must be resumed before they can end. */
  async stop(): Promise<void> {
    this.respawning = false;
    this.signal('SIGCONT');
    await this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.child) return;
    this.expected = true;
    await endWith(this.child, signal);
  }

  private spawn(): void {
    this.from = this.logSize();
    const { root, role, port } = this.wish;
    const child = spawnLogged([process.execPath, ...NODE_OPTIONS, join(root, 'dist/service.js')], {
      log: this.log,
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        ROLE: role,
        PORT: String(port),
        ...this.environment,
      },
    });
    this.expected = false;
    this.child = child;
    child.once('exit', () => {
      if (this.expected) return;
      this.crashes += 1;
      if (this.respawning) this.spawn();
    });
  }

  private logSize(): number {
    try {
      return readFileSync(this.log).length;
    } catch {
      return 0;
    }
  }
}
