import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevInbox } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient, type Answer } from '../support/client.js';
import { trySignIn, wrongCode } from '../support/codes.js';
import { rowsOf } from '../support/rows.js';
import { enableSms, newPhone } from '../support/sms.js';
import { World, newEmail } from '../support/world.js';

const LIMITED = { RATE_LIMIT_SCALE: '1' };
const BEHIND_PROXY = { ...LIMITED, TRUST_PROXY: '127.0.0.1/32' };

/** An IPv6 network that no other test is seen from. */
const newNetwork = (): string => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`;
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const newClient = () => from(`${newNetwork()}::1`);

const retryAfter = ({ headers }: Answer<unknown>): number => Number(headers.get('retry-after'));
const countOf = (answers: Answer<unknown>[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

describe('codes for one address', () => {
  let test: TestApp;
  let world: World;
  let email: string;

  beforeAll(async () => {
    test = await startTestApp({ env: BEHIND_PROXY });
  });

  afterAll(() => test.close());

  /** One network, and another client address of it for each call. */
  const network = `2001:db8:${randomBytes(2).toString('hex')}`;
  let clients = 0;
  const nextClient = () => {
    clients += 1;
    return from(`${network}:${clients.toString(16)}::1`);
  };

  const create = () =>
    world.anonymous.post<{ verificationUUID: string }>(
      world.sdk('/emailVerifications/create'),
      { email },
      nextClient(),
    );

  /** Lets time pass for the address: its row is the only one of a fresh environment. */
  const pass = (interval: string): Promise<object[]> =>
    rowsOf(
      test,
      `UPDATE code_networks SET last_sent_at = last_sent_at - $2::interval,
         hour_started_at = hour_started_at - $2::interval, day_started_at = day_started_at - $2::interval
       WHERE environment_id = $1`,
      [world.environmentId, interval],
    );

  it('come every 30 seconds, five in an hour and ten in a day for one network', async () => {
    world = await World.create(test);
    email = newEmail();
    const send = async (): Promise<void> => {
      expect((await create()).status).toBe(201);
      const early = await create();
      expect(early.status).toBe(429);
      expect(retryAfter(early)).toBeGreaterThanOrEqual(1);
      await pass('31 seconds');
    };
    const refused = async (atLeast: number, atMost: number): Promise<void> => {
      const answer = await create();
      expect(answer.status).toBe(429);
      expect(retryAfter(answer)).toBeGreaterThan(atLeast);
      expect(retryAfter(answer)).toBeLessThanOrEqual(atMost);
    };
    await send();
    const from = performance.now();
    expect((await create()).status).toBe(201);
    const answer = await create();
    expect(answer.status).toBe(429);
    expect(retryAfter(answer)).toBeLessThanOrEqual(30);
    expect(retryAfter(answer)).toBeGreaterThanOrEqual(30 - Math.ceil((performance.now() - from) / 1_000));
    await pass('31 seconds');
    for (let n = 0; n < 3; n += 1) await send();
    await refused(3_000, 3_600);
    await pass('1 hour');
    for (let n = 0; n < 5; n += 1) await send();
    await refused(3_000, 86_400);
    await pass('2 hours');
    await refused(70_000, 86_400);
    await pass('1 day');
    await send();
  });

  it('are counted for a retry as for a new verification', async () => {
    world = await World.create(test);
    email = newEmail();
    const { body } = await create();
    const retry = () =>
      world.anonymous.post(
        world.sdk('/emailVerifications/retry'),
        { verificationUUID: body.verificationUUID, email },
        nextClient(),
      );
    expect((await retry()).status).toBe(429);
    for (let n = 0; n < 4; n += 1) {
      await pass('31 seconds');
      expect((await retry()).status).toBe(201);
    }
    await pass('31 seconds');
    expect((await retry()).status).toBe(429);
    expect((await create()).status).toBe(429);
    const [row] = await rowsOf(test, 'SELECT sent_in_hour AS sent FROM code_networks WHERE environment_id = $1', [
      world.environmentId,
    ]);
    expect(row).toEqual({ sent: 5 });
  });

  it('are one when fifty are asked for at once', async () => {
    world = await World.create(test);
    email = newEmail();
    const answers = await Promise.all(Array.from({ length: 50 }, create));
    expect([countOf(answers, 201), countOf(answers, 429)]).toEqual([1, 49]);
  });

  it('are counted apart in each environment', async () => {
    world = await World.create(test);
    email = newEmail();
    expect((await create()).status).toBe(201);
    const { live } = world.ids.environments;
    const elsewhere = world.sdk('/emailVerifications/create', live);
    expect((await world.anonymous.post(elsewhere, { email }, nextClient())).status).toBe(201);
  });
});

describe('calls of one client in a minute', () => {
  let test: TestApp;
  let world: World;

  const start = async (env: Record<string, string>): Promise<void> => {
    test = await startTestApp({ env });
    world = await World.create(test);
  };
  const nonce = (options?: object) => world.anonymous.get<{ code?: string }>(world.sdk('/nonce'), options);

  describe('of a service that trusts no proxy', () => {
    beforeAll(() => start(LIMITED));
    afterAll(() => test.close());

    it('are ten sign-ins; the eleventh is 429 with Retry-After, whatever X-Forwarded-For says', async () => {
      const signIn = (n: number) =>
        world.anonymous.post<{ code: string }>(
          world.sdk('/emailVerifications/signin'),
          { verificationUUID: '018f0000-0000-7000-8000-000000000000', verificationToken: '000000' },
          from(`203.0.113.${n}`),
        );
      for (let n = 1; n <= 10; n += 1) expect((await signIn(n)).status).toBe(422);
      for (let n = 11; n <= 40; n += 1) {
        const answer = await signIn(n);
        expect([answer.status, answer.body.code]).toEqual([429, 'too_many_requests']);
        expect(retryAfter(answer)).toBeGreaterThanOrEqual(1);
        expect(retryAfter(answer)).toBeLessThanOrEqual(60);
      }
    });

    it('are three requests for a code', async () => {
      const create = () => world.anonymous.post(world.sdk('/emailVerifications/create'), { email: newEmail() });
      const statuses: number[] = [];
      for (let n = 0; n < 4; n += 1) statuses.push((await create()).status);
      expect(statuses).toEqual([201, 201, 201, 429]);
    });

    it('are ten nonces and ten visits, each counted for itself', async () => {
      const visit = () =>
        world.anonymous.post(world.sdk('/connect'), {
          address: '0x52908400098527886E0F7030069857D2E4169EE7',
          chain: 'EVM',
          provider: 'browserExtension',
          walletName: 'test',
        });
      for (const call of [nonce, visit]) {
        const statuses: number[] = [];
        for (let n = 0; n < 11; n += 1) statuses.push((await call()).status);
        expect([statuses.slice(0, 10).every((status) => status < 300), statuses[10]]).toEqual([true, 429]);
      }
    });
  });

  describe('of a service behind a proxy', () => {
    beforeAll(() => start(BEHIND_PROXY));
    afterAll(() => test.close());

    it('are counted for the client that the proxy names', async () => {
      const [one, other] = [newClient(), newClient()];
      for (let n = 0; n < 10; n += 1) expect((await nonce(one)).status).toBe(200);
      expect((await nonce(one)).status).toBe(429);
      expect((await nonce(other)).status).toBe(200);
    });

    it('are three requests for a code in all, those of a changed profile included; other changes are free', async () => {
      await enableSms(world);
      const { jwt: token, email: own } = await world.signIn(newEmail());
      const client = newClient();
      const update = (body: object, by = client) =>
        world.anonymous.put<{ code?: string }>(world.sdk('/users'), body, { ...by, token });
      const create = () => world.anonymous.post(world.sdk('/emailVerifications/create'), { email: newEmail() }, client);
      const inbox = world.test.app.get(DevInbox);
      const free = async (): Promise<void> => {
        for (const body of [{ firstName: 'Ada' }, { email: own }, { email: '' }])
          expect([body, (await update(body)).status]).toEqual([body, 200]);
      };

      for (let n = 0; n < 2; n += 1) await free();
      expect((await create()).status).toBe(201);
      expect((await update({ email: newEmail() })).status).toBe(200);
      expect((await update({ phoneNumber: newPhone().e164 })).status).toBe(200);
      const [email, { e164: phoneNumber }] = [newEmail(), newPhone()];
      for (const body of [{ email }, { phoneNumber }, { firstName: 'Eve', email }]) {
        const refused = await update(body);
        expect([body, refused.status, refused.body.code]).toEqual([body, 429, 'too_many_requests']);
        expect(retryAfter(refused)).toBeGreaterThanOrEqual(1);
      }
      expect((await create()).status).toBe(429);
      expect(inbox.entries.filter(({ to }) => to === email || to === phoneNumber)).toEqual([]);
      const { body } = await world.anonymous.get<object>(world.sdk('/users'), { token });
      expect(body).toMatchObject({ firstName: 'Ada' });
      await free();
      expect((await update({ email }, newClient())).status).toBe(200);
      expect(inbox.entries.filter(({ to }) => to === email)).toHaveLength(1);
    });

    it('are counted for the last address of the header: what a client adds before it does not help', async () => {
      const client = `${newNetwork()}::1`;
      for (let n = 0; n < 10; n += 1) expect((await nonce(from(`203.0.113.${n}, ${client}`))).status).toBe(200);
      expect((await nonce(from(`203.0.113.99, ${client}`))).status).toBe(429);
    });

    it('are counted for the whole /64 network of an IPv6 address', async () => {
      const network = newNetwork();
      for (let n = 1; n <= 10; n += 1) expect((await nonce(from(`${network}:${n}::${n}`))).status).toBe(200);
      expect((await nonce(from(`${network}:ffff::1`))).status).toBe(429);
      expect((await nonce(newClient())).status).toBe(200);
    });

    it('are admitted up to the limit exactly when two hundred come at once', async () => {
      const client = newClient();
      const answers = await Promise.all(Array.from({ length: 200 }, () => nonce(client)));
      expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([10, 190]);
    });

    it('do not use up the tries of a code: those never scale', async () => {
      const fast = await startTestApp({ env: { RATE_LIMIT_SCALE: '1000000' } });
      try {
        const there = await World.create(fast);
        const email = newEmail();
        const id = await there.sendCode(email);
        for (let n = 1; n <= 5; n += 1) await trySignIn(there, id, wrongCode(there.code(email), n));
        expect((await trySignIn(there, id, there.code(email))).body.code).toBe('too_many_email_verification_attempts');
      } finally {
        await fast.close();
      }
    });
  });

  describe('of two instances that share Redis', () => {
    let other: TestApp;
    beforeAll(async () => {
      // 30 nonces; 300 calls of any kind, which each instance leases from the shared counter 15 at a time.
      const env = { ...BEHIND_PROXY, RATE_LIMIT_SCALE: '3' };
      test = await startTestApp({ redis: true, env });
      other = await startTestApp({ redis: true, env });
      world = await World.create(test);
    });
    afterAll(async () => {
      await other.close();
      await test.close();
    });

    const both = (count: number, path: string, client: object): Promise<Answer<unknown>[]> =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          new TestClient(n % 2 === 0 ? test.url : other.url).get<unknown>(world.sdk(path), client),
        ),
      );

    it('are admitted up to the limit exactly in sum', async () => {
      const answers = await both(200, '/nonce', newClient());
      expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([30, 170]);
    });

    it('never exceed the limit in sum where instances lease parts of it, and one part each is all that is lost', async () => {
      const client = newClient();
      const answers = [...(await both(400, '/session', client)), ...(await both(100, '/session', client))];
      const admitted = countOf(answers, 401);
      expect(admitted + countOf(answers, 429)).toBe(500);
      expect(admitted).toBeLessThanOrEqual(300);
      expect(admitted).toBeGreaterThan(300 - 2 * 15);
    });
  });
});
