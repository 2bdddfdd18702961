import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { usersUnlock } from '../../src/cli/users.commands.js';
import { CodesPurge } from '../../src/identity/codes/codes-purge.job.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import type { Answer } from '../support/client.js';
import { wrongCode, type Refusal } from '../support/codes.js';
import { rowsOf } from '../support/rows.js';
import { enableSms, newPhone } from '../support/sms.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { World, newEmail } from '../support/world.js';

type Verification = { verificationUUID: string };

/** Addresses of one network that no other test is seen from: each call is another customer of it. */
class Network {
  private readonly prefix = `2001:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`;
  private next = 0;

  /** Options of a call from the next address. */
  get client() {
    this.next += 1;
    return { headers: { 'x-forwarded-for': `${this.prefix}:${this.next.toString(16)}::1` } };
  }
}

const retryAfter = ({ headers }: Answer<unknown>): number => Number(headers.get('retry-after'));

/** The two ways that codes travel, with the operations and the table of each. */
const CHANNELS = [
  { name: 'email', path: '/emailVerifications', table: 'email_verifications' },
  { name: 'sms', path: '/smsVerifications', table: 'sms_verifications' },
] as const;

describe.each(CHANNELS)('wrong codes by $name', ({ name, path, table }) => {
  let test: TestApp;
  let world: World;
  let address: string;
  let phone: ReturnType<typeof newPhone>;
  let owner: Network;
  let stranger: Network;

  beforeAll(async () => {
    // Budgets for codes that are sent are out of the way; tries and their waits never scale.
    test = await startTestApp({
      env: { TRUST_PROXY: '127.0.0.1/32', RATE_LIMIT_SCALE: '1000000', SMS_PER_DAY: '1000000' },
    });
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    world = await World.create(test);
    [owner, stranger] = [new Network(), new Network()];
    phone = newPhone();
    address = name === 'email' ? newEmail() : phone.e164;
    if (name === 'sms') await enableSms(world);
  });

  const ask = (from: Network) =>
    world.anonymous.post<Verification & Refusal>(
      world.sdk(`${path}/create`),
      name === 'email' ? { email: address } : phone.body,
      from.client,
    );

  const send = async (from: Network): Promise<string> => {
    const { status, body } = await ask(from);
    expect(status).toBe(201);
    return body.verificationUUID;
  };

  const enter = (from: Network, verificationUUID: string, verificationToken: string) =>
    world.anonymous.post<Refusal>(world.sdk(`${path}/signin`), { verificationUUID, verificationToken }, from.client);

  /** Makes `count` tries that are wrong, with as many codes as it takes. */
  const fail = async (from: Network, count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 5) {
      const id = await send(from);
      const code = world.code(address);
      for (let n = 1; n <= Math.min(5, left); n += 1)
        expect((await enter(from, id, wrongCode(code, n))).status).toBe(422);
    }
  };

  const signIn = async (from: Network): Promise<Answer<Refusal>> => enter(from, await send(from), world.code(address));

  /** Lets time pass for everything that waits in this world. */
  const pass = async (interval: string): Promise<void> => {
    for (const counted of ['code_networks', 'code_destinations']) {
      await rowsOf(
        test,
        `UPDATE ${counted} SET waits_until = waits_until - $2::interval, failed_at = failed_at - $2::interval
         WHERE environment_id = $1`,
        [world.environmentId, interval],
      );
    }
  };

  const waitsOf = async (counted: 'code_networks' | 'code_destinations'): Promise<number> => {
    const [row] = await rowsOf<{ wait: number | null }>(
      test,
      `SELECT max(extract(epoch FROM waits_until - now()))::float AS wait FROM ${counted} WHERE environment_id = $1`,
      [world.environmentId],
    );
    return row!.wait ?? 0;
  };

  it('make the network wait after five, doubling with each, for at most 15 minutes', async () => {
    await fail(stranger, 5);
    const id = await send(stranger);
    const code = world.code(address);
    const seen: number[] = [];
    for (const [at, seconds] of [30, 60, 120, 240].entries()) {
      expect((await enter(stranger, id, wrongCode(code, at + 1))).status).toBe(422);
      const early = await enter(stranger, id, code);
      expect([early.status, early.body.code]).toEqual([429, 'too_many_wrong_codes']);
      expect(Math.abs(retryAfter(early) - seconds)).toBeLessThanOrEqual(15);
      seen.push(retryAfter(early));
      // What is refused counts for nothing: the wait does not grow by asking.
      expect(retryAfter(await enter(stranger, id, code))).toBeLessThanOrEqual(retryAfter(early));
      expect((await ask(stranger)).status).toBe(429);
      await pass(`${seconds} seconds`);
    }
    expect(seen).toHaveLength(4);
    await fail(stranger, 1);
    for (let n = 0; n < 5; n += 1) {
      await pass('15 minutes');
      await fail(stranger, 1);
      expect(await waitsOf('code_networks')).toBeLessThanOrEqual(900);
    }
    await pass('15 minutes');
    await pass('15 minutes');
    expect((await signIn(stranger)).status).toBe(200);
  });

  it('of a stranger do not lock out the owner on another network', async () => {
    await fail(stranger, 5);
    for (let n = 0; n < 5; n += 1) {
      await pass('15 minutes');
      await fail(stranger, 1);
    }
    expect((await ask(stranger)).status).toBe(429);
    expect((await signIn(owner)).status).toBe(200);
    expect((await ask(stranger)).status).toBe(429);
  });

  it('of a hundred strangers cause waits of at most half an hour, and none for networks of the owner', async () => {
    expect((await signIn(owner)).status).toBe(200);
    for (let n = 0; n < 4; n += 1) await fail(new Network(), 5);
    await fail(new Network(), 1);
    const newcomer = new Network();
    const refused = await ask(newcomer);
    expect(refused.status).toBe(429);
    expect(retryAfter(refused)).toBeLessThanOrEqual(30);
    for (let n = 0; n < 80; n += 1) {
      await pass('30 minutes');
      await fail(new Network(), 1);
      expect(await waitsOf('code_destinations')).toBeLessThanOrEqual(1_800);
    }
    expect(await waitsOf('code_destinations')).toBeGreaterThan(1_700);
    expect((await ask(newcomer)).status).toBe(429);
    expect((await signIn(owner)).status).toBe(200);
    expect((await ask(newcomer)).status).toBe(429);
    await pass('30 minutes');
    expect((await signIn(newcomer)).status).toBe(200);
  }, 120_000);

  it('are reset for a network by a correct one', async () => {
    await fail(owner, 5);
    expect((await signIn(owner)).status).toBe(200);
    await fail(owner, 5);
    expect((await signIn(owner)).status).toBe(200);
  });

  it('are not those of somebody whom a rule refuses: the right one works as soon as they are let in', async () => {
    await fail(stranger, 5);
    const list = { name: 'Guests', outcome: 'siteAccess' };
    const { body } = await world.api.post<{ id: string }>(world.path('/allowlists'), list, { expect: 201 });
    const turn = (how: string) => world.api.put(`/allowlists/${body.id}/${how}`, undefined, { expect: 200 });
    await turn('enable');
    const id = await send(stranger);
    for (let n = 0; n < 7; n += 1) {
      const refused = await enter(stranger, id, world.code(address));
      expect([n, refused.status, refused.body.code]).toEqual([n, 403, 'access_denied']);
    }
    await turn('disable');
    expect((await enter(stranger, id, wrongCode(world.code(address), 1))).status).toBe(422);
    expect((await enter(stranger, id, world.code(address))).status).toBe(429);
    await pass('30 seconds');
    expect((await enter(stranger, id, world.code(address))).status).toBe(200);
  });

  it('are reset after a day', async () => {
    await fail(stranger, 6);
    await pass('25 hours');
    await fail(stranger, 5);
    expect((await signIn(stranger)).status).toBe(200);
  });

  it('are compared no more often than the waits allow with a hundred concurrent attempts', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(await send(stranger));
    const code = world.code(address);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => enter(stranger, ids[n % 20]!, wrongCode(code, n + 1))),
    );
    const compared = answers.filter(({ status }) => status === 422);
    expect(compared).toHaveLength(6);
    expect(answers.filter(({ body }) => body.code === 'too_many_wrong_codes')).toHaveLength(94);
    const [row] = await rowsOf(test, `SELECT sum(attempts)::int AS tried FROM ${table} WHERE environment_id = $1`, [
      world.environmentId,
    ]);
    expect(row).toEqual({ tried: 6 });
  });

  it('are compared no more often than all strangers may when a hundred networks try concurrently', async () => {
    const networks = Array.from({ length: 100 }, () => new Network());
    const ids = await Promise.all(networks.map(send));
    const code = world.code(address);
    const answers = await Promise.all(networks.map((network, n) => enter(network, ids[n]!, wrongCode(code, n + 1))));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(21);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(79);
  });

  it('are not counted for a network that is refused because the address has to wait', async () => {
    const newcomer = new Network();
    const id = await send(newcomer);
    const code = world.code(address);
    for (let n = 0; n < 4; n += 1) await fail(new Network(), 5);
    await fail(new Network(), 1);
    for (let n = 0; n < 8; n += 1) expect((await enter(newcomer, id, code)).status).toBe(429);
    expect(await waitsOf('code_networks')).toBe(0);
    await pass('30 seconds');
    expect((await enter(newcomer, id, code)).status).toBe(200);
  });

  it('can be reset by an operator', async () => {
    await fail(stranger, 6);
    for (let n = 0; n < 3; n += 1) await fail(new Network(), 5);
    expect((await ask(owner)).status).toBe(429);
    expect((await ask(stranger)).status).toBe(429);
    const option = name === 'email' ? '--email' : '--phone';
    const unlock = (words: string[]) => usersUnlock(test.app, ['--environment', world.environmentId, ...words]);
    await unlock([option, address]);
    expect((await signIn(stranger)).status).toBe(200);
    await expect(unlock([])).rejects.toThrow('Name one of --email, --phone and --user.');
    await expect(unlock([option, 'nobody'])).rejects.toThrow();
  });

  it('are kept for every address except the one that an operator resets', async () => {
    await fail(stranger, 6);
    phone = newPhone();
    address = name === 'email' ? newEmail() : phone.e164;
    await fail(stranger, 5);
    const option = name === 'email' ? '--email' : '--phone';
    await usersUnlock(test.app, ['--environment', world.environmentId, option, address]);
    const failures = await rowsOf(test, 'SELECT failures FROM code_networks WHERE environment_id = $1 ORDER BY 1', [
      world.environmentId,
    ]);
    expect(failures).toEqual([{ failures: 0 }, { failures: 6 }]);
  });
});

describe('codes that a stranger asks for', () => {
  let test: TestApp;
  let world: World;
  let email: string;

  beforeAll(async () => {
    test = await startTestApp({ env: { TRUST_PROXY: '127.0.0.1/32', RATE_LIMIT_SCALE: '1' } });
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    world = await World.create(test);
    email = newEmail();
  });

  const ask = (from: Network) =>
    world.anonymous.post<Verification & Refusal>(world.sdk('/emailVerifications/create'), { email }, from.client);

  const cool = (interval = '31 seconds') =>
    rowsOf(test, 'UPDATE code_networks SET last_sent_at = last_sent_at - $2::interval WHERE environment_id = $1', [
      world.environmentId,
      interval,
    ]);

  const take = async (from: Network, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      expect((await ask(from)).status).toBe(201);
      await cool();
    }
  };

  it('are limited to five per hour, and do not delay the owner', async () => {
    const stranger = new Network();
    await take(stranger, 5);
    const sixth = await ask(stranger);
    expect(sixth.status).toBe(429);
    expect(retryAfter(sixth)).toBeGreaterThan(3_000);
    const { status, body } = await ask(new Network());
    expect(status).toBe(201);
    const owned = { verificationUUID: body.verificationUUID, verificationToken: world.code(email) };
    expect((await world.anonymous.post(world.sdk('/emailVerifications/signin'), owned)).status).toBe(200);
  });

  it('are limited to twenty per half-hour from all networks, plus those for a network of the owner', async () => {
    const owner = new Network();
    const { body } = await ask(owner);
    const owned = { verificationUUID: body.verificationUUID, verificationToken: world.code(email) };
    const signIn = world.sdk('/emailVerifications/signin');
    expect((await world.anonymous.post(signIn, owned, owner.client)).status).toBe(200);
    await cool();
    for (let n = 0; n < 19; n += 1) await take(new Network(), 1);
    const stranger = new Network();
    const refused = await ask(stranger);
    expect(refused.status).toBe(429);
    expect(retryAfter(refused)).toBeLessThanOrEqual(1_800);
    expect((await ask(owner)).status).toBe(201);
    // What the address refused was not counted against the network that asked.
    await rowsOf(
      test,
      "UPDATE code_destinations SET window_started_at = now() - interval '30 minutes' WHERE environment_id = $1",
      [world.environmentId],
    );
    expect((await ask(stranger)).status).toBe(201);
  });

  it('are sent again after a reset by an operator, whatever the budgets', async () => {
    const stranger = new Network();
    for (let n = 0; n < 3; n += 1) await take(new Network(), 5);
    await take(stranger, 4);
    expect((await ask(stranger)).status).toBe(201);
    expect((await ask(new Network())).status).toBe(429);
    await rowsOf(test, 'UPDATE code_networks SET sent_in_day = 10 WHERE environment_id = $1', [world.environmentId]);
    await usersUnlock(test.app, ['--environment', world.environmentId, '--email', email]);
    for (const network of [stranger, new Network()]) expect((await ask(network)).status).toBe(201);
  });

  it('are not limited by strangers for a network from which the owner has signed in another way', async () => {
    const [home, away, key] = [new Network(), new Network(), newKey()];
    await addSite(world);
    const { body } = await ask(home);
    const owned = { verificationUUID: body.verificationUUID, verificationToken: world.code(email) };
    const signIn = world.sdk('/emailVerifications/signin');
    const { jwt: token } = (await world.anonymous.post<{ jwt: string }>(signIn, owned, home.client)).body;
    await world.anonymous.post(world.sdk('/verify/link'), await keySignIn(world, key), { token, expect: 200 });
    await take(away, 1);
    await world.anonymous.post(world.sdk('/verify'), await keySignIn(world, key), { ...away.client, expect: 200 });
    for (let n = 0; n < 18; n += 1) await take(new Network(), 1);
    expect([(await ask(new Network())).status, (await ask(away)).status]).toEqual([429, 201]);
  });

  it('are limited to twenty for a hundred concurrent networks', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(new Network())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  });
});

describe('what is known of addresses and networks', () => {
  it('is deleted half a year after the last request for a code, and not sooner', async () => {
    const test = await sharedTestApp();
    try {
      const [old, recent] = [await World.create(test), await World.create(test)];
      for (const { sdk, anonymous } of [old, recent].map((world) => ({
        sdk: world.sdk('/emailVerifications/create'),
        anonymous: world.anonymous,
      })))
        await anonymous.post(sdk, { email: newEmail() }, { expect: 201 });
      const age = (world: World, days: number) =>
        rowsOf(
          test,
          `WITH n AS (UPDATE code_networks SET seen_at = now() - make_interval(days => $2) WHERE environment_id = $1)
           UPDATE code_destinations SET last_sent_at = now() - make_interval(days => $2) WHERE environment_id = $1`,
          [world.environmentId, days],
        );
      await age(old, 181);
      await age(recent, 179);
      await test.app.get(CodesPurge, { strict: false }).run();
      const left = async ({ environmentId }: World) =>
        (
          await rowsOf(
            test,
            `SELECT 1 FROM code_destinations WHERE environment_id = $1
             UNION ALL SELECT 1 FROM code_networks WHERE environment_id = $1`,
            [environmentId],
          )
        ).length;
      expect([await left(old), await left(recent)]).toEqual([0, 2]);
    } finally {
      await test.close();
    }
  });
});
