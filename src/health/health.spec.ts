import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Clock } from '../common/clock.js';
import { JobQueue } from '../queue/index.js';
import { clockSkewMs } from './clock-skew.js';
import { HealthController } from './health.controller.js';
import { ReadinessRepository } from './readiness.repository.js';
import { ReadinessService } from './readiness.service.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

interface World {
  databaseTime?: () => Promise<Date>;
  pending?: string[];
  assertReachable?: () => Promise<void>;
}

describe('the health pages', () => {
  let app: INestApplication;
  afterEach(() => app.close());

  async function start({ databaseTime = async () => NOW, pending = [], assertReachable = async () => {} }: World) {
    class TestModule {}
    app = await NestFactory.create(
      {
        module: TestModule,
        controllers: [HealthController],
        providers: [
          ReadinessService,
          { provide: ReadinessRepository, useValue: { databaseTime, pendingMigrations: async () => pending } },
          { provide: JobQueue, useValue: { assertReachable } },
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
    const url = await start({ databaseTime: () => Promise.reject(new Error('down')) });
    const response = await fetch(`${url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok', host: new URL(url).host });
  });

  it('are ready when everything answers', async () => {
    expect(await readiness({})).toEqual({ status: 200, body: { ready: true, reasons: [] } });
  });

  it.each<[string, World, string]>([
    [
      'the database is away',
      { databaseTime: () => Promise.reject(new Error('secret.host')) },
      'The database does not answer.',
    ],
    ['the clocks differ', { databaseTime: async () => later(6) }, "The clock differs from the database's by 6 s."],
    ['migrations are pending', { pending: ['A', 'B'] }, 'Migrations are pending: 2.'],
    ['Redis is away', { assertReachable: () => Promise.reject(new Error('redis.host')) }, 'Redis does not answer.'],
  ])('are not ready when %s, and say so without naming hosts', async (_name, world, reason) => {
    expect(await readiness(world)).toEqual({ status: 503, body: { ready: false, reasons: [reason] } });
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
