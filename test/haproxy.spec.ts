import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './support/ports.js';
import { parseCompose } from './support/deploy/compose.js';
import { findHaproxy, localHaproxy, type HaproxyFile } from './support/deploy/haproxy.js';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const text = read('deploy/haproxy.cfg');
const haproxy = findHaproxy();
const run = promisify(execFile);

/** What an instance does with requests that are no checks. */
type Mood = 'answers' | 'breaks';

/** Stands for an instance: says whether it is ready, and answers or breaks off. */
class Instance {
  mood: Mood = 'answers';
  isReady = true;
  readonly seen: string[] = [];
  /** Checks that it answered, and how many of them before the last request that was none. */
  checks = 0;
  checksBefore = 0;
  private readonly server: Server = createServer((incoming, response) => {
    if (incoming.url === '/readyz') {
      this.checks += 1;
      return void response.writeHead(this.isReady ? 200 : 503).end();
    }
    this.seen.push(`${incoming.method}`);
    this.checksBefore = this.checks;
    if (this.mood === 'breaks') return void incoming.socket.destroy();
    response.setHeader('seen', JSON.stringify(incoming.headers));
    incoming.resume().on('end', () => response.end('answered'));
  });
  private at = 0;

  get port(): number {
    return this.at;
  }

  async start(): Promise<void> {
    this.server.listen(this.at, '127.0.0.1');
    await once(this.server, 'listening');
    this.at = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

const milliseconds = (name: string): number => {
  const [, amount, unit] = new RegExp(`timeout ${name} (\\d+)(ms|s)`).exec(text) ?? [];
  return Number(amount) * (unit === 's' ? 1_000 : 1);
};

describe('what deploy/haproxy.cfg and the service say of time', () => {
  const source = read('src/common/http/limited-server.ts');
  const own = (name: string): number =>
    Number((new RegExp(`${name}: ([\\d_]+)`).exec(source)?.[1] ?? '').replaceAll('_', ''));

  it('leaves the last word to the service, and closes idle connections before it does', () => {
    expect(own('requestTimeout')).toBe(30_000);
    expect(milliseconds('server')).toBeGreaterThan(own('requestTimeout'));
    expect(milliseconds('http-request')).toBeLessThanOrEqual(own('headersTimeout'));
    const [, purge = ''] = /pool-purge-delay (\d+)s/.exec(text) ?? [];
    expect(Number(purge) * 1_000 * 2).toBeLessThan(own('keepAliveTimeout'));
  });

  it('names the instances of the compose file', () => {
    const { services } = parseCompose(read('docker-compose.yml'));
    const addresses = ['api-1', 'api-2'].map((name) => {
      const networks = services[name]?.networks;
      return `${name} ${Array.isArray(networks) ? '' : networks?.['edge']?.ipv4_address}`;
    });
    expect([...text.matchAll(/server ([\w-]+ [\d.]+):3000/g)].map(([, server]) => server)).toEqual(addresses);
  });
});

(haproxy ? describe : describe.skip)('deploy/haproxy.cfg', () => {
  const [one, two] = [new Instance(), new Instance()];
  let file: HaproxyFile;
  let balancer: ChildProcess;
  let port: number;

  const ask = (method: string, headers: Record<string, string> = {}): Promise<{ status: number; seen: string }> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path: '/a', headers, agent: false }, (response) => {
        response.resume().once('end', () => {
          resolve({ status: response.statusCode ?? 0, seen: String(response.headers['seen']) });
        });
      });
      sent.once('error', reject).end();
    });

  const times = async (count: number, method: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 1) statuses.push((await ask(method, { 'content-length': '0' })).status);
    return statuses;
  };

  /** Waits until one request after the other is answered by these alone. */
  const untilAnsweredBy = async (expected: readonly Instance[]): Promise<void> => {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      forget();
      await times(6, 'GET');
      if ([one, two].every((instance) => instance.seen.length > 0 === expected.includes(instance))) return;
      await delay(20);
    }
    throw new Error('The balancer did not change its mind.');
  };

  const forget = (): void => [one, two].forEach(({ seen }) => seen.splice(0));

  beforeAll(async () => {
    await one.start();
    await two.start();
    port = await freePort();
    file = localHaproxy(text, port, [one.port, two.port]);
    balancer = spawn(haproxy ?? '', ['-db', '-f', file.path], { stdio: 'ignore' });
    for (let attempt = 0; attempt < 500; attempt += 1) {
      const answer = await ask('GET').catch(() => null);
      if (answer?.status === 200) break;
      await delay(20);
    }
  });

  afterAll(async () => {
    const ended = once(balancer, 'exit');
    balancer.kill('SIGTERM');
    await ended;
    file.remove();
    for (const instance of [one, two]) await instance.stop();
  });

  it('is accepted by haproxy, without a warning', async () => {
    const broken = localHaproxy(text.replace('leastconn', 'leastcon'), port, [1, 2]);
    try {
      const { stdout, stderr } = await run(haproxy ?? '', ['-c', '-f', file.path]);
      expect(stdout + stderr).not.toMatch(/warning|alert/i);
      await expect(run(haproxy ?? '', ['-c', '-f', broken.path])).rejects.toThrow('leastcon');
    } finally {
      broken.remove();
    }
  });

  it('adds the address it was called from, and an id of its own', async () => {
    const given = { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'from-the-client' };
    const seen = JSON.parse((await ask('GET', given)).seen) as Record<string, string>;
    expect(seen['x-forwarded-for']).toBe('203.0.113.9, 127.0.0.1');
    expect(seen['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen['x-forwarded-proto']).toBe('http');
  });

  it('refuses bodies that the service would never take', async () => {
    expect((await ask('POST', { 'content-length': '3000000' }).catch(() => ({ status: 413 }))).status).toBe(413);
  });

  it('asks the other instance when a GET breaks, and never repeats a POST', async () => {
    await untilAnsweredBy([one, two]);
    forget();
    one.mood = 'breaks';
    try {
      expect(new Set(await times(8, 'GET'))).toEqual(new Set([200]));
      expect(one.seen).toContain('GET');
      forget();
      const statuses = await times(8, 'POST');
      expect([...one.seen, ...two.seen]).toHaveLength(8);
      expect(statuses.filter((status) => status === 502)).toHaveLength(one.seen.length);
      expect(statuses.filter((status) => status === 200)).toHaveLength(two.seen.length);
      expect(one.seen.length).toBeGreaterThan(0);
    } finally {
      one.mood = 'answers';
    }
  });

  it('sends a POST to the other instance when the connection is refused, and fails none', async () => {
    await untilAnsweredBy([one, two]);
    forget();
    await one.stop();
    try {
      expect(new Set(await times(20, 'POST'))).toEqual(new Set([200]));
      expect(two.seen).toHaveLength(20);
    } finally {
      await one.start();
    }
  });

  it('takes an instance that is not ready out within two checks, and back in after one', async () => {
    await untilAnsweredBy([one, two]);
    const asked = one.checks;
    one.isReady = false;
    await untilAnsweredBy([two]);
    // Whatever came to it was sent before the balancer knew what the second check was answered: it has the next one to read it.
    expect(one.checksBefore - asked).toBeLessThanOrEqual(2);
    forget();
    expect(new Set(await times(20, 'POST'))).toEqual(new Set([200]));
    expect(one.seen).toEqual([]);
    const known = one.checks;
    one.isReady = true;
    await untilAnsweredBy([one, two]);
    // One that it passes, and those in whose time it was asked nothing yet.
    expect(one.checks - known).toBeLessThanOrEqual(3);
  });
});
