import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { IdempotencyPurge } from '../../src/idempotency/index.js';
import type { TestApp } from '../support/app.js';
import { waitingForMe } from '../support/lock-waits.js';
import { sharedTestApp } from '../support/shared-app.js';
import type { Answer, TestClient } from '../support/client.js';
import { operations } from '../support/surface/operations.js';
import { service } from '../support/suites/installation.js';
import { keyedSuite } from '../support/suites/keyed.js';
import { eventually } from '../support/receiver.js';
import { newEmail, World } from '../support/world.js';

const REPLAYED = 'idempotent-replayed';

interface UserAnswer {
  user: { id: string; email: string };
}

interface Refusal {
  code: string;
}

/** With a key, as any client would send it. */
const post = <T>(client: TestClient, path: string, key: string, body: unknown): Promise<Answer<T>> =>
  client.post<T>(path, body, { headers: { 'Idempotency-Key': key } });

const isReplay = ({ headers }: Answer<unknown>): boolean => headers.get(REPLAYED) === 'true';

describe('a call with an Idempotency-Key', () => {
  let test: TestApp;
  let db: Client;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    db = new Client(test.databaseUrl);
    await db.connect();
    world = await World.create(test);
  });
  afterAll(async () => {
    await db.end();
    await test.close();
  });

  const usersWith = async (email: string): Promise<number> =>
    (await db.query<{ count: number }>('SELECT count(*)::int AS count FROM users WHERE email = $1', [email])).rows[0]!
      .count;
  const keptFor = async (environmentId: string): Promise<number> =>
    (
      await db.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM idempotency_keys WHERE environment_id = $1',
        [environmentId],
      )
    ).rows[0]!.count;

  it('gets the same response when repeated, marked as a repetition, and creates one thing', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    const first = await post<UserAnswer>(world.api, world.path('/users'), key, { email, alias: 'a' });
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    const again = await post<UserAnswer>(world.api, world.path('/users'), `"${key}"`, { alias: 'a', email });
    expect([again.status, isReplay(again)]).toEqual([201, true]);
    expect(again.body).toEqual(first.body);
    expect(await usersWith(email)).toBe(1);
  });

  it('made fifty times concurrently takes effect once; the others get 409 or the same response', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    const call = () => post<UserAnswer & Refusal>(world.api, world.path('/users'), key, { email });
    const answers = await Promise.all(Array.from({ length: 50 }, call));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(new Set(made.map(({ body }) => body.user.id)).size).toBe(1);
    const waiting = answers.filter(({ status }) => status !== 201);
    for (const { status, body, headers } of waiting) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'idempotency_key_in_use', '1']);
    }
    expect(await usersWith(email)).toBe(1);
    const { rows } = await db.query('SELECT count(*)::int AS count FROM events WHERE resource_id = $1', [
      made[0]!.body.user.id,
    ]);
    expect(rows[0]).toEqual({ count: 1 });
    expect(isReplay(await call())).toBe(true);
  });

  it('gets 409 at once while the first one is running, without effect', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    const call = () => post<UserAnswer & Refusal>(world.api, world.path('/users'), key, { email });
    await db.query('BEGIN; LOCK TABLE users IN SHARE MODE');
    const first = call();
    try {
      await eventually('the first call waits', async () => (await waitingForMe(db, 'INSERT INTO users')) > 0);
      const second = await call();
      expect([second.status, second.body.code]).toEqual([409, 'idempotency_key_in_use']);
      // At once: the first one waits as before.
      expect(await waitingForMe(db, 'INSERT INTO users')).toBe(1);
    } finally {
      await db.query('ROLLBACK');
    }
    expect([(await first).status, isReplay(await call())]).toEqual([201, true]);
    expect(await usersWith(email)).toBe(1);
  });

  it('is refused with another body, query or path, and with an invalid key', async () => {
    const key = randomUUID();
    const email = newEmail();
    await post(world.api, world.path('/users'), key, { email });
    const other = await post<Refusal>(world.api, world.path('/users'), key, { email: newEmail() });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    const bulk = randomUUID();
    await post(world.api, world.path('/users/bulk'), bulk, [{ email: newEmail() }]);
    const asked = await post<Refusal>(world.api, world.path('/users/bulk?upsert=true'), bulk, [{ email: newEmail() }]);
    expect([asked.status, asked.body.code]).toEqual([422, 'idempotency_key_reused']);
    const none = await post<Refusal>(world.api, world.path('/users'), 'two words', { email: newEmail() });
    expect([none.status, none.body.code]).toEqual([400, 'malformed_idempotency_key']);
  });

  it('is another call for another caller, another operation and another environment', async () => {
    const key = randomUUID();
    const body = { email: newEmail() };
    const other = world.api.withToken(await world.mint(['environment.users.write']));
    const owner = world.owner;
    const ids = new Set<string>();
    for (const client of [world.api, other, owner]) {
      const answer = await post<UserAnswer>(client, world.path('/users'), key, body);
      expect([answer.status, isReplay(answer)]).toEqual([201, false]);
      ids.add(answer.body.user.id);
    }
    expect(ids.size).toBe(3);
    const origin = await post(world.api, world.path('/origins'), key, { origin: 'https://a.example.com' });
    expect([origin.status, isReplay(origin)]).toEqual([201, false]);
    const live = await post<UserAnswer>(owner, `/environments/${world.ids.environments.live}/users`, key, body);
    expect([live.status, isReplay(live)]).toEqual([201, false]);
  });

  it('that is refused stores nothing, so that the same key may be retried', async () => {
    const key = randomUUID();
    const kept = await keptFor(world.environmentId);
    const id = randomUUID();
    await world.api.post(world.path('/users'), { id, email: newEmail() }, { expect: 201 });
    const body = { id, email: newEmail() };
    for (let count = 0; count < 2; count += 1) {
      const refused = await post<Refusal>(world.api, world.path('/users'), key, body);
      expect([refused.status, refused.body.code]).toEqual([422, 'duplicate_exists']);
    }
    expect(await keptFor(world.environmentId)).toBe(kept);
    await world.api.delete(world.path(`/users/${id}`), { expect: 204 });
    expect((await post(world.api, world.path('/users'), key, body)).status).toBe(201);
  });

  it('with many items stores each valid one, and gets the same list again', async () => {
    const key = randomUUID();
    const email = newEmail();
    const items = [{ email, alias: 'one' }, { email: newEmail(), metadata: { a: 'x'.repeat(20_000) } }, { email }];
    const call = () =>
      post<Record<string, { id: string }[]>>(world.api, world.path('/users/bulk?upsert=true'), key, items);
    const first = await call();
    const lists = Object.fromEntries(['created', 'updated', 'failed'].map((name) => [name, first.body[name]?.length]));
    expect(lists).toEqual({ created: 1, updated: 1, failed: 1 });
    const again = await call();
    expect(isReplay(again)).toBe(true);
    expect(again.body).toEqual(first.body);
    expect(await usersWith(email)).toBe(1);
  });

  it('is forgotten after a day, and then deleted', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    await post(world.api, world.path('/users'), key, { email });
    const expire = (): Promise<unknown> =>
      db.query(`UPDATE idempotency_keys SET expires_at = now() - interval '1 s' WHERE environment_id = $1`, [
        world.environmentId,
      ]);
    const { rows } = await db.query<{ hours: number }>(
      `SELECT DISTINCT extract(epoch FROM expires_at - created_at)::int / 3600 AS hours FROM idempotency_keys
       WHERE environment_id = $1`,
      [world.environmentId],
    );
    expect(rows).toEqual([{ hours: 24 }]);
    await expire();
    const again = await post<UserAnswer>(world.api, world.path('/users'), key, { email });
    expect([again.status, isReplay(again)]).toEqual([201, false]);
    expect(await usersWith(email)).toBe(2);
    expect(isReplay(await post(world.api, world.path('/users'), key, { email }))).toBe(true);
    await expire();
    await test.app.get(IdempotencyPurge, { strict: false }).run();
    expect(await keptFor(world.environmentId)).toBe(0);
  });

  it('has its response sealed at rest: neither the created token nor the key can be read', async () => {
    const key = `key-${randomUUID()}`;
    const made = await post<{ token: { rawToken: string } }>(world.api, world.path('/tokens'), key, {
      note: 'sealed',
      scopes: ['environment.users.read'],
    });
    const { rows } = await db.query<{ row: string; body: Buffer }>(
      'SELECT k::text AS row, sealed_body AS body FROM idempotency_keys k WHERE environment_id = $1',
      [world.environmentId],
    );
    const stored = rows.map(({ row, body }) => row + body.toString('latin1')).join();
    expect(stored).not.toContain(made.body.token.rawToken);
    expect(stored).not.toContain(key);
    const again = await post<typeof made.body>(world.api, world.path('/tokens'), key, {
      note: 'sealed',
      scopes: ['environment.users.read'],
    });
    expect(again.body.token.rawToken).toBe(made.body.token.rawToken);
  });

  it('without the right is refused before a stored response is looked up', async () => {
    const key = randomUUID();
    const body = { email: newEmail() };
    await post(world.api, world.path('/users'), key, body);
    expect((await post(world.anonymous, world.path('/users'), key, body)).status).toBe(401);
    const stranger = await World.create(test);
    expect((await post(stranger.api, world.path('/users'), key, body)).status).toBe(404);
  });

  it('leaves nothing behind when the transaction cannot be committed', async () => {
    const [key, email] = [randomUUID(), newEmail()];
    await db.query(`
      CREATE FUNCTION refuse_answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
      CREATE TRIGGER refuse_answer BEFORE INSERT ON idempotency_keys FOR EACH ROW
      WHEN (NEW.environment_id = '${world.environmentId}') EXECUTE FUNCTION refuse_answer()`);
    try {
      const response = await fetch(`${test.url}/api/v0${world.path('/users')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.token}`, 'content-type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify({ email }),
      });
      expect(response.status).toBe(500);
    } finally {
      await db.query('DROP TRIGGER refuse_answer ON idempotency_keys; DROP FUNCTION refuse_answer()');
    }
    expect(await usersWith(email)).toBe(0);
    expect((await post(world.api, world.path('/users'), key, { email })).status).toBe(201);
  });
});

describe('every operation that takes an Idempotency-Key', () => {
  keyedSuite(service());

  /** What makes nothing that a repetition would make twice, or does something outside of the database. */
  const WITHOUT_KEY: Readonly<Record<string, string>> = {
    createInvite: 'sends an email; an address has one open invite',
    revokeUserSessions: 'a repetition finds no session to end',
    revokeUserSessionsLegacy: 'a repetition finds no session to end',
    checkExternalJwt: 'changes nothing',
    getUserAccountBalances: 'changes nothing',
    recoverDeletedWalletsWithEnvironment: 'a repetition finds nothing to recover',
    resetUserMfa: 'a repetition finds no factor to remove',
    cancelWebhookReplay: 'a repetition finds nothing to end',
    createNameService: 'a signature is good once',
    fetchNameServiceSigningMessage: 'sets nothing up',
    planPromotion: 'changes nothing',
    applyPromotion: 'a plan is good for the state it was made of',
    tryWaasPolicy: 'changes nothing',
    createDelegatedCredentials: 'an environment has a key once',
    delegatedSignMessage: 'signs the same again, within the caps',
    revokeDelegatedAccess: 'a repetition finds no access to end',
    authenticateWaas: 'a token for some minutes, of which there may be many',
    verifyApiKey: 'changes nothing',
    verifySsoDomain: 'looks at the DNS again',
    backupKeySharesToLocationsForPregen: 'a copy that is recorded again stays one',
  };

  it('is each one that creates something, and redelivery', () => {
    const keyed = new Set(operations.filter(({ isIdempotent }) => isIdempotent).map(({ id }) => id));
    const posts = operations.filter(({ method, audience }) => method === 'POST' && audience === 'dashboard');
    expect(posts.map(({ id }) => id).filter((id) => !keyed.has(id) && !(id in WITHOUT_KEY))).toEqual([]);
    expect(Object.keys(WITHOUT_KEY).filter((id) => keyed.has(id))).toEqual([]);
    expect(keyed.size).toBeGreaterThanOrEqual(33);
  });
});
