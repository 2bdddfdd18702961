import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp, type TestApp } from '../support/app.js';
import { OwnRedis } from '../support/own-redis.js';
import { eventually, Receiver } from '../support/receiver.js';
import { Standstill } from '../support/standstill.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { World, newEmail } from '../support/world.js';

describe('an API and a worker whose Redis', () => {
  let redis: OwnRedis;
  let proxy: TcpProxy;
  let api: TestApp;
  let worker: TestApp;
  let world: World;
  let receiver: Receiver;

  /** What the machine has this process wait for is none of the time that a call takes. */
  const standstill = Standstill.watch();

  beforeAll(async () => {
    redis = await OwnRedis.start();
    proxy = await TcpProxy.start(redis.port);
    const shared = { REDIS_URL: `redis://127.0.0.1:${proxy.port}`, TRUST_PROXY: '127.0.0.1' };
    api = await startTestApp({ ownDatabase: true, env: { ...shared, ROLE: 'api', RATE_LIMIT_SCALE: '1' } });
    const same = { databaseUrl: api.databaseUrl, masterKey: api.masterKey };
    worker = await startTestApp({ ...same, env: { ...shared, ROLE: 'worker' } });
    world = await World.create(api);
    receiver = await Receiver.start();
    await world.api.post(
      world.path('/webhooks'),
      { url: receiver.url, events: ['user.created'], isEnabled: true },
      { expect: 201 },
    );
  }, 120_000);

  afterAll(async () => {
    standstill.stop();
    await worker?.close();
    await api?.close();
    await receiver?.stop();
    await proxy?.stop();
    await redis?.stop();
  }, 120_000);

  let clients = 0;

  /** Signs in from an address that nobody else has, so that each call has to ask the shared counters anew. */
  async function signIn(): Promise<number[]> {
    const email = newEmail();
    const number = clients++;
    const headers = { 'x-forwarded-for': `198.51.${number >> 8}.${number & 255}`, 'content-type': 'application/json' };
    const times: number[] = [];
    const post = async (path: string, body: object): Promise<Record<string, string>> => {
      const [from, stood] = [performance.now(), standstill.ms];
      const answer = await fetch(`${api.url}/api/v0${world.sdk(path)}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      times.push(performance.now() - from - (standstill.ms - stood));
      expect(answer.status).toBeLessThan(300);
      return (await answer.json()) as Record<string, string>;
    };
    const { verificationUUID } = await post('/emailVerifications/create', { email });
    await post('/emailVerifications/signin', { verificationUUID, verificationToken: world.code(email) });
    return times;
  }

  const readiness = async (): Promise<{ status: number; ms: number; body: unknown }> => {
    const [from, stood] = [performance.now(), standstill.ms];
    const answer = await fetch(`${api.url}/readyz`);
    const body = await answer.json();
    return { status: answer.status, body, ms: performance.now() - from - (standstill.ms - stood) };
  };

  /** Twenty sign-ins, a few at a time. None may fail; @returns milliseconds of each call, sorted. */
  async function signInTwenty(): Promise<number[]> {
    const times: number[] = [];
    for (let round = 0; round < 4; round++) {
      for (const done of await Promise.all(Array.from({ length: 5 }, signIn))) times.push(...done);
    }
    return times.sort((one, other) => one - other);
  }

  async function expectDelivered(withinMs: number): Promise<void> {
    const { body } = await world.api.post<{ user: { id: string } }>(world.path('/users'), { email: newEmail() });
    const id = body.user.id;
    const arrived = (): boolean =>
      receiver.of('user.created').some(({ body: { data } }) => JSON.stringify(data).includes(id));
    await eventually('the event arrives', arrived, withinMs);
  }

  const expectDegraded = async (how = 'Redis does not answer.'): Promise<void> => {
    const { status, body, ms } = await readiness();
    expect({ status, body }).toEqual({ status: 200, body: { ready: true, reasons: [], degraded: [how] } });
    expect(ms).toBeLessThan(1_000);
  };

  it('is well counts together and delivers at once', async () => {
    await signInTwenty();
    // Rung for: by the sweep alone it would be up to five seconds.
    const stood = standstill.ms;
    const from = performance.now();
    await expectDelivered(30_000);
    expect(performance.now() - from - (standstill.ms - stood)).toBeLessThan(4_000);
    const well = JSON.stringify({ ready: true, reasons: [], degraded: [] });
    await eventually('the instance is well', async () => JSON.stringify((await readiness()).body) === well, 30_000);
    expect(await redis.command('KEYS', 'gatehouse:limit:*')).not.toHaveLength(0);
  });

  it('was killed sign everybody in, deliver by the sweep, and report that they are degraded', async () => {
    await redis.kill();
    const times = await signInTwenty();
    expect(times.at(-1)).toBeLessThan(1_500);
    await expectDegraded();
    await expectDelivered(60_000);
    await redis.restart();
    await eventually(
      'well again',
      async () => JSON.stringify((await readiness()).body).includes('"degraded":[]'),
      60_000,
    );
    await expectDelivered(60_000);
  }, 120_000);

  it('takes two seconds for an answer wait for it 200 ms, once a second, and no longer', async () => {
    proxy.delayMs = 1_000;
    await sleep(200);
    try {
      const times = await signInTwenty();
      expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(1_500);
      // Of forty calls few met the moment in which Redis was tried again.
      expect(times[Math.floor(times.length * 0.5)]).toBeLessThan(200);
      await expectDegraded();
      await expectDelivered(60_000);
    } finally {
      proxy.delayMs = 0;
    }
    await eventually(
      'well again',
      async () => JSON.stringify((await readiness()).body).includes('"degraded":[]'),
      60_000,
    );
  }, 120_000);

  it.each<[string, string[], string[]]>([
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['is a replica, which only reads', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    [
      'denies its user scripts',
      ['ACL', 'SETUSER', 'default', '-@scripting'],
      ['ACL', 'SETUSER', 'default', '+@scripting'],
    ],
  ])(
    '%s sign everybody in, deliver, and say that they are degraded',
    async (_name, [name = '', ...words], [undo = '', ...undoing]) => {
      await redis.command(name, ...words);
      try {
        const times = await signInTwenty();
        expect(times.at(-1)).toBeLessThan(1_500);
        await expectDegraded('Redis takes no writes.');
        await expectDelivered(60_000);
      } finally {
        await redis.command(undo, ...undoing);
      }
      await eventually(
        'well again',
        async () => JSON.stringify((await readiness()).body).includes('"degraded":[]'),
        60_000,
      );
    },
  );

  it('is away at the start become ready all the same', async () => {
    await redis.kill();
    const late = await startTestApp({
      databaseUrl: api.databaseUrl,
      masterKey: api.masterKey,
      env: { REDIS_URL: redis.url, LOG_LEVEL: 'error' },
    });
    try {
      const answer = await fetch(`${late.url}/readyz`);
      expect({ status: answer.status, body: await answer.json() }).toEqual({
        status: 200,
        body: { ready: true, reasons: [], degraded: ['Redis does not answer.'] },
      });
    } finally {
      await redis.restart();
      await late.close();
    }
  }, 120_000);
});
