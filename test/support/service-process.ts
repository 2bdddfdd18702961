import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SETTINGS } from '../../src/config/index.js';
import type { Quickstart } from '../../src/dev/index.js';

const root = resolve(import.meta.dirname, '../..');
/** Other variables that may be set where tests run, and that a program under test must not see. */
const FOREIGN = /^(?:GATEHOUSE_|JEST_|NODE_)/;
const READY = /^ {4}user token +\S+\n/m;
const START_LIMIT_MS = 120_000;
const POLL_MS = 20;
/** Timeout for a connection, on a machine that also runs other suites. */
const PATIENCE_MS = '10000';

export type Environment = Readonly<Record<string, string>>;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The environment of this process without the service's settings, and with this Node first on the PATH. */
export function environmentWith(settings: Environment): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name) && !(name in SETTINGS));
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  return { ...Object.fromEntries(inherited), PATH: path, DATABASE_WAIT_MS: PATIENCE_MS, ...settings };
}

/** Runs a program until it exits. `node` is the Node of the tests. */
export async function run(command: string[], settings: Environment, cwd: string = root): Promise<Finished> {
  const [program = '', ...words] = command;
  const child = spawn(program === 'node' ? process.execPath : program, words, {
    cwd,
    env: environmentWith(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** How the service is started: bundled into one file, as in the image, or as compiled modules, as by `npm start`. */
const PROGRAMS = { joined: 'scripts/joined.js', modules: 'scripts/start.js' } as const;
/** Runs the service until it exits, for one that fails to start. */
export const SERVICE = ['node', PROGRAMS.joined];

/** The service in a process of its own. */
export class ServiceProcess {
  /** Its output on both streams so far. */
  output = '';
  /** Milliseconds from the spawn to the printed block; null before that. */
  startedInMs: number | null = null;
  private readonly exited: Promise<number | null>;

  private constructor(
    private readonly child: ChildProcess,
    readonly dataDir: string,
  ) {
    const keep = (chunk: Buffer): void => void (this.output += chunk.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    this.exited = once(child, 'exit').then(([code]) => code as number | null);
  }

  /** @param cwd a repository other than this one */
  static spawn(
    settings: Environment & { DATA_DIR: string },
    program: keyof typeof PROGRAMS = 'joined',
    cwd: string = root,
  ): ServiceProcess {
    const child = spawn(process.execPath, [PROGRAMS[program]], {
      cwd,
      env: environmentWith(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child, settings.DATA_DIR);
  }

  /** Returns when the block with addresses and tokens is printed. */
  static async start(...how: Parameters<typeof ServiceProcess.spawn>): Promise<ServiceProcess> {
    const from = performance.now();
    const service = ServiceProcess.spawn(...how);
    await service.until(() => Promise.resolve(READY.test(service.output)));
    service.startedInMs = performance.now() - from;
    return service;
  }

  /** @throws Error with the output if the process exits or the time is up before */
  async until(isReady: () => Promise<boolean>): Promise<void> {
    for (let waited = 0; waited < START_LIMIT_MS && this.isRunning; waited += POLL_MS) {
      if (await isReady()) return;
      await delay(POLL_MS);
    }
    throw new Error(`The service did not become ready.\n${this.output}`);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Peak memory since the start, in MiB. Works on Linux only. */
  get peakMemory(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
  }

  get quickstart(): Quickstart {
    return JSON.parse(readFileSync(join(this.dataDir, 'quickstart.json'), 'utf8')) as Quickstart;
  }

  /** Without the API prefix. */
  get url(): string {
    return new URL(this.quickstart.api).origin;
  }

  /** @returns the exit code; null if it was ended by a signal */
  end(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }

  /** For the end of a test file, whatever the outcome: leaves neither processes nor files behind. */
  async discard(): Promise<void> {
    if (this.isRunning) await this.end('SIGINT');
    for (const pid of databaseProcesses(this.dataDir)) {
      try {
        process.kill(pid, 'SIGQUIT');
      } catch {
        continue;
      }
    }
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** Processes working in the database folder of a data folder: the server and its children. Works on Linux only. */
export function databaseProcesses(dataDir: string): number[] {
  if (process.platform !== 'linux') return [];
  const folder = join(realpathSync(dataDir), 'postgres');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    })
    .map(Number);
}
