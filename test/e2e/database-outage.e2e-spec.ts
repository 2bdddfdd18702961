import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../src/database/migrate.js';
import { startTestApp } from '../support/app.js';
import { Deployment, readinessOf, type Instance } from '../support/deployment.js';
import { knownWithin } from '../support/known-within.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { withStandstill } from '../support/standstill.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { newEmail, World } from '../support/world.js';

interface Call {
  ms: number;
  /** Of the user to write; null for a read. */
  email: string | null;
  status: number;
  code: string | undefined;
  retryAfter: number;
}

const isServed = ({ status }: Call): boolean => status < 400;

describe('an instance whose database', () => {
  let postgres: OwnPostgres;
  let deployment: Deployment;
  let instance: Instance;
  let world: World;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    await migrate(postgres.url);
    const test = await startTestApp({ databaseUrl: postgres.url, env: { ROLE: 'api' } });
    world = await World.create(test);
    await test.close();
    deployment = new Deployment({ DATABASE_URL: postgres.url, MASTER_KEY: test.masterKey, DRAIN_SECONDS: '0' });
    instance = await deployment.start({ DATABASE_POOL: '5', DATABASE_WAIT_MS: '2000' });
  }, 120_000);

  afterAll(async () => {
    await deployment?.stop();
    await postgres?.stop();
  });

  /** Without the client of the other tests, which wants every status documented: 503 may answer any operation. */
  const call = async (isWrite: boolean): Promise<Call> => {
    const at = performance.now();
    const email = isWrite ? newEmail() : null;
    const headers = { authorization: `Bearer ${world.token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${instance.url}/api/v0${world.path('/users')}${email ? '' : '?limit=1'}`, {
      headers,
      ...(email && { method: 'POST', body: JSON.stringify({ email }) }),
    });
    const { code } = (await answer.json()) as { code?: string };
    const retryAfter = Number(answer.headers.get('retry-after'));
    return { ms: performance.now() - at, email, status: answer.status, code, retryAfter };
  };

  /** Reads and writes, about fifty a second, until `fault` has been and gone. */
  async function during(fault: () => Promise<void>): Promise<Call[]> {
    const calls: Promise<Call>[] = [];
    const load = setInterval(() => calls.push(call(calls.length % 2 === 0)), 20);
    try {
      await sleep(500);
      await fault();
      await sleep(2_500);
    } finally {
      clearInterval(load);
    }
    return Promise.all(calls);
  }

  /** Served, or told when to come again. Nothing else, whatever was cut off in the middle. */
  function expectServedOr503(calls: readonly Call[]): { refused: Call[] } {
    const refused = calls.filter(({ status }) => status >= 400);
    for (const { status, code, retryAfter } of refused) {
      expect({ status, code, retryAfter }).toEqual({ status: 503, code: 'service_unavailable', retryAfter: 2 });
    }
    expect(instance.process.isRunning).toBe(true);
    return { refused };
  }

  async function expectAcknowledgedKept(calls: readonly Call[]): Promise<void> {
    const acknowledged = calls.flatMap(({ email, status }) => (email && status === 201 ? [email] : []));
    expect(acknowledged.length).toBeGreaterThan(20);
    const { rows } = await withClient(postgres.url, (pg) =>
      pg.query<{ email: string }>('SELECT email FROM users WHERE email = ANY ($1)', [acknowledged]),
    );
    expect(rows.length).toBe(acknowledged.length);
  }

  it('is slow to accept connections is waited for at the start', async () => {
    const slow = await TcpProxy.start(Number(new URL(postgres.url).port));
    const url = new URL(postgres.url);
    url.port = String(slow.port);
    slow.delayMs = 450;
    // The first connection takes longer than calls may wait. What follows need not be slow.
    setTimeout(() => (slow.delayMs = 0), 3_500);
    try {
      const { process } = await deployment.start({ ROLE: 'worker', DATABASE_URL: url.href, DATABASE_WAIT_MS: '2000' });
      await process.until(async () => process.output.includes('Gatehouse is ready'));
      expect(await process.end('SIGTERM')).toBe(0);
    } finally {
      await slow.stop();
    }
  }, 120_000);

  it('crashes and comes back three times answers 503 meanwhile, loses nothing and serves again within 2 s', async () => {
    const back: Call[] = [];
    const calls = await during(async () => {
      for (let round = 0; round < 3; round++) {
        await postgres.crash();
        await sleep(500);
        expect((await readinessOf(instance)).status).toBe(503);
        expect((await fetch(`${instance.url}/healthz`)).status).toBe(200);
        await postgres.restart();
        // However long a call takes that was sent before: one that is sent two seconds later is served.
        back.push(await knownWithin(2_000, () => call(true), isServed));
        await sleep(1_500);
      }
    });
    const { refused } = expectServedOr503(calls);
    expect(refused.length).toBeGreaterThan(20);
    expect(back.map(isServed)).toEqual([true, true, true]);
    await expectAcknowledgedKept(calls);
    await eventually('ready again', async () => (await readinessOf(instance)).status === 200);
  }, 120_000);

  it('repeatedly ends every connection answers 503 to writes at worst, and serves reads', async () => {
    let ended = 0;
    const calls = await during(async () => {
      for (let round = 0; round < 8; round++) {
        const { rowCount } = await withClient(postgres.url, (pg) =>
          pg.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE application_name = 'gatehouse' AND pid <> pg_backend_pid()`),
        );
        ended += rowCount ?? 0;
        await sleep(250);
      }
    });
    expect(ended).toBeGreaterThan(10);
    const { refused } = expectServedOr503(calls);
    // A read is sent once more by itself; one whose second connection is ended as well is told so.
    expect(refused.filter(({ email }) => email === null).length).toBeLessThanOrEqual(1);
    await expectAcknowledgedKept(calls);
  }, 120_000);

  it('has all connections taken makes nobody wait longer than 2 s, stays ready, and works a second later', async () => {
    let ready: Promise<{ status: number; body: unknown }> | undefined;
    const { result: blocked, stoodStillMs } = await withStandstill(() =>
      withClient(postgres.url, async (pg) => {
        await pg.query('BEGIN');
        await pg.query('LOCK TABLE users IN EXCLUSIVE MODE');
        const calls = Array.from({ length: 50 }, () => call(true));
        await sleep(200);
        const reads = Array.from({ length: 20 }, () => call(false));
        ready = readinessOf(instance);
        // Those that hold the connections give up after three seconds.
        await Promise.race([Promise.all(reads), sleep(2_600)]);
        await pg.query('ROLLBACK');
        return Promise.all([...calls, ...reads]);
      }),
    );
    const late = blocked.filter(({ status }) => status === 503);
    expect(late.length).toBeGreaterThanOrEqual(60);
    expectServedOr503(blocked);
    // Every instance may be as busy: a balancer that removes them all leaves nobody to answer.
    expect(await ready).toEqual({ status: 200, body: { ready: true, reasons: [], degraded: [] } });
    // Less what was no waiting for the service.
    expect(Math.max(...late.map(({ ms }) => ms)) - stoodStillMs).toBeLessThan(3_000);
    const after = await withStandstill(() => call(true));
    expect(after.result.status).toBe(201);
    expect(after.result.ms - after.stoodStillMs).toBeLessThan(1_000);
  }, 120_000);

  it('is read-only refuses writes with 503, is not ready, and stays alive', async () => {
    const setReadOnly = (value: 'on' | 'off'): Promise<unknown> =>
      withClient(postgres.url, async (pg) => {
        await pg.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
        await pg.query('SELECT pg_reload_conf()');
      });
    await setReadOnly('on');
    try {
      await eventually('not ready', async () => (await readinessOf(instance)).status === 503);
      expect((await readinessOf(instance)).body).toMatchObject({ reasons: ['The database takes no writes.'] });
      expect(expectServedOr503([await call(true)]).refused).toHaveLength(1);
      expect((await call(false)).status).toBe(200);
      expect((await fetch(`${instance.url}/healthz`)).status).toBe(200);
    } finally {
      await setReadOnly('off');
    }
    await eventually('ready again', async () => (await readinessOf(instance)).status === 200);
  }, 120_000);
});
