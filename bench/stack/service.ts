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
  /** Keeps wake-ups and rate limits in the process instead of Redis. */
  readonly inProcess?: boolean;
  /** Whether the tables have row-level security, so that each statement must name its tenant. */
  readonly rowSecurity?: boolean;
  readonly masterKey: string;
  /** An environment whose health endpoint is polled to learn when the service is ready. */
  readonly environmentId: string;
  /** Further runtime options, such as those for a profile. */
  readonly nodeOptions?: readonly string[];
  /** Settings in addition to the common ones. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Service {
  readonly origin: string;
  readonly pid: number;
  /** Milliseconds from process start to the first response. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** The same for every service of a run, so that each accepts the tokens of the others. */
export const PUBLIC_URL = 'http://gatehouse.bench.example';

/** The options of `npm start` and of the image. */
const NODE_OPTIONS = ['--min-semi-space-size=8', '--max-semi-space-size=8'];
const START_LIMIT_MS = 60_000;
const POLL_MS = 4;
const LOG_TAIL = 4000;

/** Runs the build in `dist` in production mode, in a separate process; its log is kept while it runs. */
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
        // Sign-in by email requires a mail server setting; nothing is sent.
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
