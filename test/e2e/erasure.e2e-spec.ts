import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usersExport } from '../../src/cli/users.commands.js';
import { ErasuresJob } from '../../src/identity/accounts/erasures.job.js';
import { DevInbox } from '../../src/providers/index.js';
import { Accounts, codeOf } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newAddress } from '../support/surface/records.js';
import { Receiver, eventually } from '../support/receiver.js';
import { RedisRecord } from '../support/redis-record.js';
import { redisUrl } from '../support/redis.js';
import { rowsOf } from '../support/rows.js';
import { addDevice, allowSecondFactors, refreshed, roomInStep } from '../support/second-factor.js';
import { copyTables } from '../support/table-copy.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { World, newEmail } from '../support/world.js';

let test: TestApp;
let world: World;
let accounts: Accounts;
let redis: RedisRecord;
let receiver: Receiver;

beforeAll(async () => {
  redis = await RedisRecord.start(redisUrl());
  receiver = await Receiver.start((request) => ({ status: 200, body: request.raw.toString() }));
  test = await startTestApp({ ownDatabase: true, redis: true });
  world = await World.create(test);
  accounts = new Accounts(world);
  await addSite(world);
}, 120_000);
afterAll(async () => {
  await test?.close();
  await receiver?.stop();
  await redis?.stop();
});

const erase = (token: string, query = '') =>
  world.anonymous.delete<{ code: string }>(world.sdk(`/users${query}`), { token });

/** A webhook of the receiver that wants one kind of event. */
const receiverOf = (event: string) =>
  world.api.post(world.path('/webhooks'), { url: receiver.url, isEnabled: true, events: [event] }, { expect: 201 });

/** Where any of the texts is found in the database and in Redis. */
async function placesOf(texts: readonly string[]): Promise<string[]> {
  const copies = await copyTables(test.databaseUrl);
  const kept = await redis.content();
  return texts.flatMap((text) => [
    ...copies
      .filter(({ rows }) => rows.toString().toLowerCase().includes(text.toLowerCase()))
      .map(({ table }) => table),
    ...(kept.toLowerCase().includes(text.toLowerCase()) ? ['Redis'] : []),
  ]);
}

describe('a person who used every feature and is erased', () => {
  it('is found nowhere afterwards, though their traces were everywhere before', async () => {
    const mark = `canary${randomBytes(8).toString('hex')}`;
    const types = await world.api.get<{ name: string }[]>('/eventTypes', { expect: 200 });
    const events = types.body.map(({ name }) => name);
    await world.api.post(world.path('/webhooks'), { url: receiver.url, isEnabled: true, events }, { expect: 201 });
    await allowSecondFactors(world);
    await roomInStep();

    const person = await world.signIn(`${mark}@example.com`);
    const other = await world.signIn(`${mark}-other@example.com`);
    const update = {
      alias: mark,
      firstName: `${mark}-first`,
      username: mark.slice(0, 20),
      metadata: { note: `${mark}-note` },
    };
    await world.anonymous.put(world.sdk('/users'), update, { token: person.jwt, expect: 200 });
    const key = newKey();
    const linked = await accounts.post('/verify/link', person.jwt, await keySignIn(world, key));
    expect(linked.status).toBe(200);
    const visit = { address: key.address, chain: 'EVM', provider: 'browserExtension', walletName: 'test' };
    await world.anonymous.post(world.sdk('/connect'), visit);
    expect(codeOf(await accounts.verifyEmail(person.jwt, other.email))).toBe('merge_accounts_confirmation');
    const merged = await accounts.post('/users/merge', person.jwt);
    expect(merged.status).toBe(200);
    await addDevice(world, merged.body.jwt);
    const jwt = await refreshed(world, merged.body.jwt);
    await world.api.put(world.path(`/users/${person.userId}`), { lastName: `${mark}-last` }, { expect: 200 });
    await eventually('the receiver was told', () => receiver.of('user.updated').length > 1, 30_000);

    const texts = [mark, key.address];
    const before = await placesOf(texts);
    expect(before).toEqual(
      expect.arrayContaining([
        'users',
        'credentials',
        'identifier_claims',
        'events',
        'webhook_deliveries',
        'user_merges',
      ]),
    );

    expect((await erase(jwt)).status).toBe(204);
    // Deliveries that were on their way arrive and are written down; then everything is gone through once more.
    const job = test.app.get(ErasuresJob, { strict: false });
    await eventually(
      'nothing is on its way',
      async () => {
        const [row] = await rowsOf<{ open: number }>(
          test,
          "SELECT count(*)::int AS open FROM webhook_messages WHERE status IN ('pending', 'sending')",
        );
        return row!.open === 0;
      },
      30_000,
    );
    await rowsOf(test, "UPDATE erasures SET due_at = now() - interval '6 min'");
    await job.run();
    expect(await placesOf(texts)).toEqual([]);
    expect(await rowsOf(test, 'SELECT 1 FROM erasures WHERE scrubbed_at IS NULL')).toEqual([]);
    const told = receiver.of('user.deleted').filter(({ body }) => (body.data as { id: string }).id === person.userId);
    expect(told.map(({ body }) => body.data)).toEqual([
      { id: person.userId, projectEnvironmentId: world.environmentId },
    ]);
    const mails = test.app.get(DevInbox).entries.filter(({ subject }) => subject?.includes('was erased'));
    expect(mails.map(({ to }) => to)).toContain(person.email);
    expect((await world.signIn(person.email)).userId).not.toBe(person.userId);
  }, 120_000);

  it('is forgotten by events and deliveries within a day as well where a member or a server deletes the user', async () => {
    const mark = `canary${randomBytes(8).toString('hex')}`;
    await receiverOf('user.deleted');
    const person = await world.signIn(`${mark}@example.com`);
    await world.api.put(world.path(`/users/${person.userId}`), { alias: mark }, { expect: 200 });
    await world.api.delete(world.path(`/users/${person.userId}`), { expect: 204 });
    const told = () => receiver.of('user.deleted').filter(({ body }) => JSON.stringify(body.data).includes(mark));
    await eventually('the receiver was told who it was', () => told().length > 0, 30_000);
    expect(await placesOf([mark])).toEqual(expect.arrayContaining(['events', 'webhook_deliveries']));
    const job = test.app.get(ErasuresJob, { strict: false });
    await job.run();
    expect(await placesOf([mark])).toContain('events');

    const noted = await rowsOf<{ withinADay: boolean }>(
      test,
      `SELECT due_at < created_at + interval '1 day' AS "withinADay" FROM erasures WHERE $1 = ANY (user_ids)`,
      [person.userId],
    );
    expect(noted).toEqual([{ withinADay: true }]);
    await rowsOf(test, "UPDATE erasures SET due_at = now() - interval '6 min'");
    await job.run();
    expect(await placesOf([mark])).toEqual([]);
    expect(await rowsOf(test, 'SELECT 1 FROM erasures WHERE scrubbed_at IS NULL')).toEqual([]);
  }, 120_000);

  it('would be found: a trace that is planted is', async () => {
    const mark = `canary${randomBytes(8).toString('hex')}`;
    await world.api.post(world.path('/users'), { email: `${mark}@example.com` }, { expect: 201 });
    expect(await placesOf([mark])).toEqual(expect.arrayContaining(['users', 'events']));
  });
});

describe('erasure', () => {
  it('asks for a proof of the last five minutes', async () => {
    const ada = await world.signIn(newEmail());
    await accounts.age(ada);
    const refused = await erase(ada.jwt);
    expect([refused.status, refused.body.code]).toEqual([403, 'fresh_proof_required']);
    expect((await accounts.user(ada.userId)).email).toBe(ada.email);
  });

  it('is refused while an embedded wallet would be lost, unless that is said; then the keys are destroyed', async () => {
    const ada = await world.signIn(newEmail());
    const wanted = { identifier: ada.email, type: 'email', chains: ['EVM'] };
    await world.api.post(world.path('/embeddedWallets'), wanted, { expect: 201 });
    const refused = await erase(ada.jwt);
    expect([refused.status, refused.body.code]).toEqual([422, 'embedded_wallets_would_be_lost']);
    expect((await erase(ada.jwt, '?eraseWallets=true')).status).toBe(204);
    const seeds = await rowsOf<{ isDue: boolean }>(
      test,
      'SELECT destroy_after <= now() AS "isDue" FROM wallet_seeds WHERE user_id = $1',
      [ada.userId],
    );
    expect(seeds).toEqual([{ isDue: true }]);
  });

  it('happens once, however many ask for it at the same moment', async () => {
    const ada = await world.signIn(newEmail());
    const answers = await Promise.all(Array.from({ length: 50 }, () => erase(ada.jwt)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 204 || status === 401)).toBe(true);
  });

  it('leaves other people alone', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const visit = { address: newAddress(), chain: 'EVM', provider: 'browserExtension', walletName: 'test' };
    await world.anonymous.post(world.sdk('/connect'), visit);
    expect((await erase(ada.jwt)).status).toBe(204);
    await test.app.get(ErasuresJob, { strict: false }).run();
    expect((await accounts.user(eve.userId)).email).toBe(eve.email);
    expect(await placesOf([eve.email])).toEqual(expect.arrayContaining(['users', 'events']));
    expect(await placesOf([visit.address])).toEqual(['visitors']);
  });
});

describe('a person’s own data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-export-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const exported = (userId: string, file: string) =>
    usersExport(test.app, ['--environment', world.environmentId, '--user', userId, '--file', file]);

  it('is written to a file: all that is held, nothing of secrets, nothing of others', async () => {
    await allowSecondFactors(world);
    await roomInStep();
    const mark = `person${randomBytes(8).toString('hex')}`;
    const user = await world.signIn(`${mark}@example.com`);
    const other = await world.signIn(newEmail());
    const { secret } = await addDevice(world, user.jwt);
    const token = await refreshed(world, user.jwt);
    await world.anonymous.put(world.sdk('/users'), { firstName: mark, metadata: { mark } }, { token, expect: 200 });
    const codes = world.sdk('/users/mfa/recovery');
    const { body } = await world.anonymous.get<{ recoveryCodes: string[] }>(codes, { token, expect: 200 });
    const path = join(folder, 'person.json');
    await exported(user.userId, path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    const { user: shown, records } = JSON.parse(text) as {
      user: { email: string };
      records: Record<string, Record<string, unknown>[]>;
    };
    expect(shown.email).toBe(`${mark}@example.com`);
    expect(Object.keys(records)).toEqual(
      expect.arrayContaining([
        ...['users', 'credentials', 'identifier_claims', 'sessions', 'mfa_devices', 'mfa_recovery_codes', 'events'],
        'email_verifications',
      ]),
    );
    expect(records['users']).toHaveLength(1);
    expect(records['users']![0]).toMatchObject({ id: user.userId, first_name: mark });
    for (const hidden of [secret, ...body.recoveryCodes, 'sealed_secret', 'code_hashes', 'hmac', '\\\\x']) {
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);
    }
    expect(text).not.toContain(other.userId);
    await expect(exported(user.userId, path)).rejects.toThrow('is there already');
    await expect(exported(randomUUID(), join(folder, 'nobody.json'))).rejects.toThrow('no such user');
    await expect(exported('me', join(folder, 'me.json'))).rejects.toThrow('--user');
  });
});
