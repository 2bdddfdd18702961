import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/ports.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { Deployment, readinessOf, type Instance } from '../support/deployment.js';
import { findNginx, localNginx, type NginxFolder } from '../support/deploy/nginx.js';
import { redisUrl } from '../support/redis.js';
import { rowsOf } from '../support/rows.js';
import { eventually } from '../support/receiver.js';
import { World } from '../support/world.js';

/** Two cores run three instances, their database and this; more of it waits for a connection for 2 s. */
const PER_SECOND = 30;
const nginx = findNginx();

interface Sent {
  method: string;
  /** 0 when the connection broke. */
  status: number;
  text: string;
}

(nginx ? describe : describe.skip)('instances behind the balancer of deploy/nginx.conf', () => {
  let test: TestApp;
  let world: World;
  let deployment: Deployment;
  let instances: Instance[];
  let folder: NginxFolder;
  let balancer: ChildProcess;
  let port: number;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
    deployment = new Deployment({
      DATABASE_URL: test.databaseUrl,
      MASTER_KEY: test.masterKey,
      REDIS_URL: redisUrl(),
      TRUST_PROXY: '127.0.0.1',
    });
    instances = await Promise.all([deployment.start(), deployment.start()]);
    port = await freePort();
    const text = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8');
    const ports = instances.map((instance) => instance.port);
    folder = localNginx(text, port, ports);
    balancer = spawn(nginx ?? '', ['-p', folder.path, '-c', folder.config, '-g', 'daemon off; master_process off;'], {
      stdio: 'ignore',
    });
    await eventually('the balancer', async () => (await send('GET')).status === 200);
  }, 60_000);

  afterAll(async () => {
    agent.destroy();
    if (balancer) {
      const ended = once(balancer, 'exit');
      balancer.kill('SIGTERM');
      await ended;
      folder.remove();
    }
    await deployment?.stop();
    await test?.close();
  });

  let count = 0;
  function send(method: 'GET' | 'POST'): Promise<Sent> {
    const body = method === 'POST' ? JSON.stringify({ email: `rolling-${count++}@example.com` }) : undefined;
    const headers = {
      authorization: `Bearer ${world.token}`,
      ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve) => {
      const path = `/api/v0${world.path('/users')}${method === 'GET' ? '?limit=1' : ''}`;
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.once('end', () => resolve({ method, status: response.statusCode ?? 0, text }));
        response.once('error', (error) => resolve({ method, status: 0, text: error.message }));
      });
      sent.once('error', (error) => resolve({ method, status: 0, text: error.message })).end(body);
    });
  }

  it(`are restarted one after the other under ${PER_SECOND} requests a second without one that fails`, async () => {
    const answers: Promise<Sent>[] = [];
    const load = setInterval(() => answers.push(send(answers.length % 2 === 0 ? 'GET' : 'POST')), 1000 / PER_SECOND);
    const stops: { ms: number; code: number | null; readiness: number }[] = [];
    try {
      await eventually('the load', () => answers.length > PER_SECOND);
      for (const [at, instance] of instances.entries()) {
        const from = performance.now();
        const ended = instance.process.end('SIGTERM');
        const readiness = await eventually('no longer ready', async () => {
          const { status } = await readinessOf(instance);
          return status === 200 ? null : status + 1;
        });
        stops.push({ code: await ended, ms: Math.round(performance.now() - from), readiness: readiness - 1 });
        instances[at] = await deployment.start({}, instance.port);
        // The balancer leaves an instance alone for five seconds after it was refused by it.
        await sleep(6_000);
      }
    } finally {
      clearInterval(load);
    }
    const all = await Promise.all(answers);
    const wrong = all.filter(({ method, status }) => status !== (method === 'GET' ? 200 : 201));
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(all.length).toBeGreaterThan(10 * PER_SECOND);
    for (const { ms, code, readiness } of stops) {
      expect({ code, readiness }).toEqual({ code: 0, readiness: 503 });
      expect(ms).toBeGreaterThan(5_000);
      expect(ms).toBeLessThan(25_000);
    }
    // Each POST had its effect once: neither lost nor repeated.
    const [row] = await rowsOf<{ users: number }>(
      test,
      `SELECT count(*)::int AS users FROM users WHERE environment_id = $1 AND email LIKE 'rolling-%'`,
      [world.environmentId],
    );
    expect(row?.users).toBe(all.filter(({ method }) => method === 'POST').length);
  }, 120_000);
});
