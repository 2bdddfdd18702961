import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Standstill } from '../../test/support/standstill.js';
import { Clock } from '../common/clock.js';
import { Drain } from '../common/http/drain.js';
import { JobQueue } from '../queue/index.js';
import { SIGNER_CALLS } from '../vault/index.js';
import { clockSkewMs } from './clock-skew.js';
import { HealthController } from './health.controller.js';
import { Opening } from './opening.js';
import { ReadinessRepository, type DatabaseState } from './readiness.repository.js';
import { ReadinessService } from './readiness.service.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

const stateAt = (now: Date): DatabaseState => ({ now, isReadOnly: false });

interface World {
  state?: () => Promise<DatabaseState>;
  lacksRoom?: boolean;
  pending?: string[];
  takesRings?: () => Promise<boolean>;
  /** Asks the signer, where there is one. */
  askSigner?: () => Promise<void>;
}

describe('the health pages', () => {
  let app: INestApplication;
  afterEach(() => app.close());

  async function start({
    state = async () => stateAt(NOW),
    lacksRoom = false,
    pending = [],
    takesRings = async () => true,
    askSigner,
  }: World) {
    class TestModule {}
    app = await NestFactory.create(
      {
        module: TestModule,
        controllers: [HealthController],
        providers: [
          Drain,
          Opening,
          ReadinessService,
          {
            provide: ReadinessRepository,
            useValue: { state, lacksRoom: async () => lacksRoom, pendingMigrations: async () => pending },
          },
          { provide: JobQueue, useValue: { takesRings } },
          { provide: SIGNER_CALLS, useValue: askSigner ? { isUp: true, assertReachable: askSigner } : null },
          { provide: Clock, useValue: { now: () => NOW } },
        ],
      },
      { logger: false },
    );
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  }

  async function readiness(world: World): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${await start(world)}/readyz`);
    return { status: response.status, body: await response.json() };
  }

  it('are alive without asking anything, and tell the name they were asked by', async () => {
    const url = await start({ state: () => Promise.reject(new Error('down')) });
    const response = await fetch(`${url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', host: new URL(url).host });
  });

  it('are ready when everything answers', async () => {
    expect(await readiness({})).toEqual({ status: 200, body: { ready: true, reasons: [], degraded: [] } });
  });

  it('ask the database once for all who ask at the same time, and anew for the next', async () => {
    let asked = 0;
    await start({ state: async () => (asked++, stateAt(NOW)) });
    const readiness = app.get(ReadinessService);
    expect((await Promise.all([1, 2, 3].map(() => readiness.check()))).map(({ ready }) => ready)).toEqual([
      true,
      true,
      true,
    ]);
    expect(asked).toBe(1);
    await readiness.check();
    expect(asked).toBe(2);
  });

  it.each<[string, World, string]>([
    [
      'the database is away',
      { state: () => Promise.reject(new Error('secret.host')) },
      'The database does not answer.',
    ],
    ['the clocks differ', { state: async () => stateAt(later(6)) }, "The clock differs from the database's by 6 s."],
    ['it may only read', { state: async () => ({ now: NOW, isReadOnly: true }) }, 'The database takes no writes.'],
    ['its disk is full', { lacksRoom: true }, 'The disk of the database is full.'],
    ['migrations are pending', { pending: ['A', 'B'] }, 'Migrations are pending: 2.'],
  ])('are not ready when %s, and say so without naming hosts', async (_name, world, reason) => {
    expect(await readiness(world)).toEqual({ status: 503, body: { ready: false, reasons: [reason], degraded: [] } });
  });

  it.each<[string, World, string]>([
    ['Redis is away', { takesRings: () => Promise.reject(new Error('redis.host')) }, 'Redis does not answer.'],
    ['Redis is silent', { takesRings: () => new Promise(() => undefined) }, 'Redis does not answer.'],
    ['Redis is full', { takesRings: async () => false }, 'Redis takes no writes.'],
    ['the signer is away', { askSigner: () => Promise.reject(new Error('gone')) }, 'The signer does not answer.'],
    ['the signer hangs', { askSigner: () => new Promise(() => undefined) }, 'The signer does not answer.'],
  ])('stay ready while %s, and say before long that something is worse', async (_name, world, degraded) => {
    const url = await start(world);
    const [from, standstill] = [performance.now(), Standstill.watch()];
    const response = await fetch(`${url}/readyz`);
    // Less than the three seconds that a check of the database is given.
    expect(performance.now() - from).toBeLessThan(2_500 + standstill.ms);
    standstill.stop();
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ready: true, reasons: [], degraded: [degraded] });
  });

  it('are not ready from the moment the instance is told to stop, and go on being alive', async () => {
    const url = await start({});
    app.get(Drain).begin();
    const response = await fetch(`${url}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ ready: false, reasons: ['The instance is about to stop.'] });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('are not ready before the instance is open, and answer meanwhile', async () => {
    const url = await start({});
    const ready = async () => (await fetch(`${url}/readyz`)).json();
    app.get(Opening).begin('The demo data is being created.');
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    expect(await ready()).toEqual({ ready: false, reasons: ['The demo data is being created.'], degraded: [] });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    app.get(Opening).finish();
    expect(await ready()).toEqual({ ready: true, reasons: [], degraded: [] });
  });
});

describe('clock skew', () => {
  it.each([
    ['within the time the answer took', later(1), later(0), later(2), 0],
    ['ahead', later(9), later(0), later(2), 7_000],
    ['behind', later(-4), later(0), later(2), -4_000],
  ])('is what lies outside of the time the answer took: %s', (_name, theirs, asked, answered, expected) => {
    expect(clockSkewMs(theirs, asked, answered)).toBe(expected);
  });
});
