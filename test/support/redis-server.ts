import { execFile, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './ports.js';
import { findProgram } from './programs.js';
import { REDIS_DATABASES } from './redis.js';
import type { TestServer } from './services.js';

const run = promisify(execFile);

/** The server of REDIS_URL, else one for this run only, without persistence. */
export async function startTestRedis(): Promise<TestServer> {
  const given = process.env['REDIS_URL'];
  if (given) return { url: given, stop: async () => undefined, kill: () => undefined };

  const program = findServer() ?? (await installServer());
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-redis-'));
  const port = await freePort();
  const settings = { port, bind: '127.0.0.1', databases: REDIS_DATABASES, dir: folder, save: '', appendonly: 'no' };
  const child = spawn(
    program,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  await waitUntilReady(port, program, () => child.exitCode !== null);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
    kill: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findServer(): string | null {
  return findProgram('redis-server') ?? findProgram('valkey-server');
}

async function installServer(): Promise<string> {
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update'], { env }).catch(() => undefined);
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'redis-server'], { env }).catch(() => undefined);
  }
  const program = findServer();
  if (program) return program;
  throw new Error('The e2e tests need Redis: install redis-server (or valkey-server), or set REDIS_URL.');
}

async function waitUntilReady(port: number, program: string, hasEnded: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !hasEnded(); attempt += 1) {
    if (await answersPing(port)) return;
    await delay(25);
  }
  throw new Error(`${program} did not answer on port ${port}`);
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => finish(data.toString().startsWith('+PONG')));
    socket.once('error', () => finish(false));
  });
}
