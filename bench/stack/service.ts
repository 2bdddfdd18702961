import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../src/database/embedded/free-port.js';
import { monotonicMs } from '../monotonic.js';
import { ROOT, endChild } from './program.js';

export interface ServiceSettings {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Leaves wake-ups and limits to the process itself. */
  readonly inProcess?: boolean;
  /** Whether the tables of the database have policies, so that each statement has to name its tenant. */
  readonly rowSecurity?: boolean;
  readonly masterKey: string;
  /** An environment whose health is asked for to learn when the service answers. */
  readonly environmentId: string;
  /** Further options of the runtime, such as those that record a profile. */
  readonly nodeOptions?: readonly string[];
  /** Settings beside those of every service. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Service {
  readonly origin: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** The same for every service of a run, so that one accepts the tokens another has issued. */
export const PUBLIC_URL = 'http://gatehouse.bench.example';

/** Those of `npm start` and of the image. */
const NODE_OPTIONS = ['--min-semi-space-size=8', '--max-semi-space-size=8'];
const START_LIMIT_MS = 60_000;
const POLL_MS = 4;
const LOG_TAIL = 4000;

/** The build of `dist` in production mode, in a process of its own; its log is kept while it runs. */
export async function startService(settings: ServiceSettings): Promise<Service> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-log-'));
  const log = join(folder, 'service.log');
  const fd = openSync(log, 'w');
  const started = monotonicMs();
  const child = spawn(
    process.execPath,
    [...NODE_OPTIONS, ...(settings.nodeOptions ?? []), join(ROOT, 'dist/service.js')],
    {
      cwd: ROOT,
      stdio: ['ignore', fd, fd],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        PUBLIC_URL,
        DATABASE_URL: settings.databaseUrl,
        ...(!settings.inProcess && { REDIS_URL: settings.redisUrl }),
        ...(settings.rowSecurity && { DATABASE_ROW_SECURITY: 'on' }),
        MASTER_KEY: settings.masterKey,
        RATE_LIMIT_SCALE: '1000000',
        EGRESS_ALLOW: '127.0.0.0/8',
        // Somewhere to send mail to must be named for sign-in by email; nothing is sent.
        SMTP_URL: 'smtp://127.0.0.1:1',
        SEED: 'false',
        ...settings.env,
      },
    },
  );
  closeSync(fd);
  const stop = async (): Promise<void> => {
    await endChild(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const health = `${origin}/api/v0/sdk/${settings.environmentId}/healthcheck`;
  if (!(await answers(health, child))) {
    const said = readFileSync(log, 'utf8').slice(-LOG_TAIL);
    await stop();
    throw new Error(`The service does not answer ${health}:\n${said}`);
  }
  return { origin, pid: child.pid ?? 0, startMs: monotonicMs() - started, stop };
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  const deadline = monotonicMs() + START_LIMIT_MS;
  while (monotonicMs() < deadline && child.exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return true;
    await delay(POLL_MS);
  }
  return false;
}
