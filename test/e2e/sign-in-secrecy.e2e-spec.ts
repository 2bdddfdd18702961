import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import type { Answer } from '../support/client.js';
import { steadyHeaders, trySignIn, wrongCode } from '../support/codes.js';
import { captureLog } from '../support/log.js';
import { mannWhitney } from '../support/mann-whitney.js';
import { RedisMonitor } from '../support/redis-monitor.js';
import { redisUrl } from '../support/redis.js';
import { rowsOf } from '../support/rows.js';
import { World, newEmail } from '../support/world.js';

describe('a code is nowhere but in its message', () => {
  let test: TestApp;
  let world: World;
  let log: ReturnType<typeof captureLog>;
  let sentToRedis = '';
  const codes: string[] = [];

  /** The code as a number of its own, in hex as of a `bytea`, or as a plain hash: not six digits of a longer number. */
  const traces = (code: string): string => {
    const hash = createHash('sha256').update(code).digest('hex');
    return `(^|[^0-9a-f.])${code}([^0-9a-f]|$)|${Buffer.from(code).toString('hex')}|${hash}`;
  };

  const tablesWith = async (pattern: string): Promise<string[]> => {
    const tables = await rowsOf<{ name: string }>(
      test,
      "SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await rowsOf<{ count: number }>(
        test,
        `SELECT count(*)::int AS count FROM ${name} AS t WHERE t::text ~ $1`,
        [pattern],
      );
      if (row!.count > 0) found.push(name);
    }
    return found;
  };

  beforeAll(async () => {
    log = captureLog();
    const monitor = await RedisMonitor.start(redisUrl());
    test = await startTestApp({ redis: true, ownDatabase: true, env: { LOG_LEVEL: 'verbose' } });
    world = await World.create(test);
    const retry = world.sdk('/emailVerifications/retry');
    for (let n = 0; n < 10; n += 1) {
      const email = newEmail();
      const id = await world.sendCode(email);
      codes.push(world.code(email));
      await trySignIn(world, id, wrongCode(world.code(email)));
      await world.anonymous.post(retry, { verificationUUID: id, email }, { expect: 201 });
      codes.push(world.code(email));
      if (n % 2 === 0) expect((await trySignIn(world, id, world.code(email))).status).toBe(200);
    }
    // Rings of the queue and whatever the log has to say about them arrive later.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await monitor.stop();
    sentToRedis = monitor.commands;
  });

  afterAll(async () => {
    log.stop();
    await test.close();
  });

  it('not in any column of any table', async () => {
    for (const code of codes) expect(await tablesWith(traces(code))).toEqual([]);
    await rowsOf(test, 'UPDATE email_verifications SET code_hmac = $1', [Buffer.from(codes[0]!)]);
    expect(await tablesWith(traces(codes[0]!))).toEqual(['email_verifications']);
    await rowsOf(test, 'UPDATE email_verifications SET email = $1', [`${codes[0]}@example.com`]);
    expect(await tablesWith(traces(codes[0]!))).toEqual(['email_verifications']);
  });

  it('not in anything that is sent to Redis', () => {
    expect(sentToRedis).toContain('gatehouse:limit:');
    for (const code of codes) expect(sentToRedis).not.toMatch(new RegExp(traces(code)));
  });

  it('not in the log, at its most talkative', async () => {
    await rowsOf(test, 'ALTER TABLE code_destinations RENAME TO elsewhere');
    const email = newEmail();
    const answer = await fetch(`${test.url}/api/v0${world.sdk('/emailVerifications/create')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    expect(answer.status).toBe(500);
    const text = log.text();
    expect(text).toContain('code_destinations');
    expect(text).not.toContain(email);
    for (const code of codes) expect(text).not.toMatch(new RegExp(traces(code)));
  });
});

describe('a known and an unknown address', () => {
  /** Of each kind in one round. */
  const SAMPLES = 1_000;
  /** Times of one distribution fall below one in a hundred once in a hundred rounds, so one in a million three times. */
  const ROUNDS = 3;
  const ALIKE = 0.01;
  type Kind = 'known' | 'unknown';
  let test: TestApp;
  let world: World;
  const known: string[] = [];

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
    world = await World.create(test);
    for (let n = 0; n < SAMPLES; n += 50) {
      const users = Array.from({ length: 50 }, () => ({
        email: newEmail(),
        emailVerifiedAt: new Date().toISOString(),
      }));
      await world.api.post(world.path('/users/bulk'), users, { expect: 201 });
      known.push(...users.map(({ email }) => email));
    }
    // The first ones are known through a proof as well.
    for (const email of known.slice(0, 10)) await world.signIn(email);
  }, 120_000);

  afterAll(() => test.close());

  const create = (email: string): Promise<Answer<{ verificationUUID: string; email: string }>> =>
    world.anonymous.post(world.sdk('/emailVerifications/create'), { email });

  const measure = async (email: string): Promise<{ took: number; shape: string }> => {
    const started = performance.now();
    const answer = await create(email);
    const took = performance.now() - started;
    const body = JSON.stringify(answer.body).replace(answer.body.verificationUUID, 'ID').replace(email, 'EMAIL');
    return { took, shape: JSON.stringify([answer.status, steadyHeaders(answer), body]) };
  };

  /** Pairs of one of each kind, in turns first, so that whatever else the machine does falls on both. */
  async function round(shapes: Set<string>): Promise<Record<Kind, number[]>> {
    await rowsOf(test, 'DELETE FROM code_destinations', []);
    const times: Record<Kind, number[]> = { known: [], unknown: [] };
    for (let n = 0; n < SAMPLES; n += 1) {
      const order: [Kind, string][] = [
        ['known', known[n]!],
        ['unknown', newEmail()],
      ];
      for (const [kind, email] of n % 2 === 0 ? order : order.toReversed()) {
        const { took, shape } = await measure(email);
        times[kind].push(took);
        shapes.add(shape);
      }
    }
    return times;
  }

  it('are answered with the same status, headers and bytes, and in times that cannot be told apart', async () => {
    for (let n = 0; n < 20; n += 1) await measure(newEmail());
    const shapes = new Set<string>();
    const seen: number[] = [];
    while (seen.length < ROUNDS && !seen.some((p) => p > ALIKE)) {
      const { known: ofKnown, unknown: ofUnknown } = await round(shapes);
      seen.push(mannWhitney(ofKnown, ofUnknown));
      // A quarter more for one of the two is seen in the same figures.
      const slower = ofKnown.map((took) => took * 1.25);
      expect(mannWhitney(slower, ofUnknown)).toBeLessThan(ALIKE);
    }
    expect([...shapes]).toHaveLength(1);
    expect([...shapes][0]).toContain('[201,');
    expect(Math.max(...seen)).toBeGreaterThan(ALIKE);
  }, 240_000);

  it('have the same answer to a wrong code', async () => {
    const answers: string[] = [];
    for (const email of [known[0]!, known[100]!, newEmail()]) {
      const id = await world.sendCode(email);
      const answer = await trySignIn(world, id, wrongCode(world.code(email)));
      answers.push(JSON.stringify([answer.status, steadyHeaders(answer), { ...answer.body, requestId: '' }]));
    }
    expect(new Set(answers).size).toBe(1);
  });
});
