import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'viem';
import { tronSpellings } from '../../src/common/addresses/tron-address.js';
import { auditVerify } from '../../src/cli/audit.commands.js';
import { ledgerVerify } from '../../src/cli/ledger.commands.js';
import { usersExport } from '../../src/cli/users.commands.js';
import { ErasuresJob } from '../../src/identity/accounts/erasures.job.js';
import { DevInbox } from '../../src/providers/index.js';
import { ExportStorage } from '../../src/reporting/exports/storage/export-storage.js';
import { Accounts, codeOf } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { linkTo, openCredentialDoors, type Door } from '../support/credential-doors.js';
import { DoorPeers } from '../support/door-peers.js';
import { trySignIn } from '../support/codes.js';
import { captureLog } from '../support/log.js';
import type { PasskeySite } from '../support/passkeys.js';
import { peopleTables, PlantedRows } from '../support/planted-rows.js';
import { newAddress } from '../support/surface/records.js';
import { serviceSurface } from '../support/surface/registry.js';
import { Receiver, eventually } from '../support/receiver.js';
import { RedisRecord } from '../support/redis-record.js';
import { redisUrl } from '../support/redis.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { addDevice, allowSecondFactors, refreshed, roomInStep } from '../support/second-factor.js';
import { newStamper } from '../support/stamper.js';
import { copyTables } from '../support/table-copy.js';
import { tablesOf } from '../support/tables.js';
import { World, newEmail } from '../support/world.js';

let test: TestApp;
let world: World;
let accounts: Accounts;
let redis: RedisRecord;
let receiver: Receiver;
let peers: DoorPeers;
let site: PasskeySite;
let doors: Map<string, Door>;
let log: ReturnType<typeof captureLog>;
const data = mkdtempSync(join(tmpdir(), 'gatehouse-erasure-'));

beforeAll(async () => {
  log = captureLog();
  redis = await RedisRecord.start(redisUrl());
  receiver = await Receiver.start((request) => ({ status: 200, body: request.raw.toString() }));
  peers = await DoorPeers.start();
  const env = { ...peers.env, DATA_DIR: data, LOG_LEVEL: 'verbose' };
  test = await startTestApp({ ownDatabase: true, redis: true, env });
  world = await World.create(test);
  accounts = new Accounts(world);
  ({ site, doors } = await openCredentialDoors(peers, world));
}, 120_000);
afterAll(async () => {
  await test?.close();
  await peers?.stop();
  await receiver?.stop();
  await redis?.stop();
  log?.stop();
  rmSync(data, { recursive: true, force: true });
});

interface ExportFile {
  id: string;
  status: string;
}

/** A file that is asked for, as soon as it is there. */
async function exportOf(model: string, of = world): Promise<ExportFile> {
  const path = of.path('/exports');
  const { id } = (await of.api.post<ExportFile>(path, { format: 'csv', model }, { expect: 201 })).body;
  await written(id, of);
  expect(existsSync(folderOf(id, of))).toBe(true);
  return { id, status: 'completed' };
}

const written = (id: string, of = world): Promise<boolean> =>
  eventually(
    'the file is written',
    async () => (await of.api.get<ExportFile>(of.path(`/exports/${id}`), { expect: 200 })).body.status === 'completed',
    30_000,
  );

const folderOf = (id: string, of = world): string => join(data, 'exports', of.environmentId, id);

/** What is in a file. */
async function linesOf({ id }: ExportFile, of = world): Promise<string> {
  const { headers } = await of.api.get(of.path(`/exports/${id}/download`), { expect: 302 });
  const answer = await fetch(`${test.url}${new URL(headers.get('location')!).pathname}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Text of the form of an address; nobody checks its checksum. */
const newBitcoinAddress = (): string => `bc1q${[...randomBytes(38)].map((byte) => BECH32_DIGITS[byte % 32]).join('')}`;
const BECH32_DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

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

/** Tables of which no row is about a person, and what there is of people in those that could have some. */
const IMPERSONAL = new Set([
  // What a team or the deployment has set up.
  ...['allowlists', 'asked_fields', 'custom_fields', 'custom_hostnames', 'custom_networks', 'deeplink_urls'],
  ...['delegation_keys', 'environment_secrets', 'environment_settings', 'environment_settings_versions'],
  ...['environments', 'exchanges', 'gates', 'global_wallet_access_controls', 'global_wallet_domains', 'global_wallets'],
  ...['name_service_proofs', 'name_services', 'organization_mfa_settings', 'organizations', 'origins', 'projects'],
  ...['providers', 'screening_integrations', 'signing_keys', 'signing_policies', 'signing_policy_rules'],
  ...['sso_providers', 'test_accounts', 'webhooks', 'api_tokens', 'service_secrets', 'scheduled_jobs', 'migrations'],
  ...['environment_imports', 'sanctions_lists', 'client_reports'],
  // Entries that a team wrote: documented to stay.
  ...['allowlist_entries', 'allowlist_entry_keys'],
  // Members of organizations, who are users of the console.
  ...['invites', 'members', 'personal_tokens', 'webhook_notices'],
  // Sums, and those who left under numbers that nothing else knows.
  ...[
    'analytics_counts',
    'analytics_departures',
    'analytics_horizons',
    'analytics_presence',
    'analytics_progress',
    'billing_usage',
    'client_event_counts',
  ],
  ...['deployment_budgets', 'sms_budgets', 'user_counts', 'visit_days', 'visitor_counts', 'wallet_counts'],
  ...['billing_coupons', 'billing_provider_events', 'billing_redemptions', 'billing_subscriptions'],
  // By hashes alone, for minutes or a day.
  ...['code_destinations', 'code_networks', 'nonces', 'oauth_attempts', 'used_elevations', 'wallet_used_requests'],
  ...['idempotency_keys'],
  // By ids alone, of those who were erased.
  ...['audit_records', 'erasures'],
  // Of files and messages, which are looked at themselves.
  ...['exports', 'export_downloads', 'webhook_messages', 'webhook_replays', 'audit_heads', 'key_ledger_heads'],
  // What a context says in its own place.
  ...Object.keys(serviceSurface.impersonal),
]);
/** Where the id of somebody who was erased remains, in Redis for minutes: it tells nobody who it was. */
const PSEUDONYMS = ['audit_records', 'erasures', 'events', 'key_ledger', 'webhook_deliveries', 'Redis'];
const KEYS = ['wallet_seeds', 'key_share_sets', 'key_share_backups', 'wallet_secrets', 'key_imports'];

const beginLogin = (id: string, username: string): Promise<unknown> =>
  rowsOf(
    test,
    `INSERT INTO telegram_logins (environment_id, login_hash, account, signed_at, expires_at)
     VALUES ($1, $2, $3, now(), now() + interval '5 min')`,
    [world.environmentId, randomBytes(32), JSON.stringify({ id, username })],
  );

/** Tables of which neither the canary had a row nor anybody has said that they hold nothing of people. */
const unexplained = (tables: readonly string[], touched: ReadonlySet<string>): string[] =>
  tables.filter((table) => !touched.has(table) && !IMPERSONAL.has(table));

describe('a person who used every feature and is erased', () => {
  it('is found nowhere afterwards, though their traces were everywhere before', async () => {
    const mark = `canary${randomBytes(8).toString('hex')}`;
    const types = await world.api.get<{ name: string }[]>('/eventTypes', { expect: 200 });
    const events = types.body.map(({ name }) => name);
    await world.api.post(world.path('/webhooks'), { url: receiver.url, isEnabled: true, events }, { expect: 201 });
    await allowSecondFactors(world);
    await roomInStep();
    const field = { name: 'Nickname', enabled: true, required: false, fieldType: 'text', position: 1 };
    const { key } = (
      await world.api.post<{ key: string }>(
        world.path('/custom/fields'),
        { ...field, validationRules: { unique: true } },
        { expect: 201 },
      )
    ).body;

    const person = await site.person();
    const other = await world.signIn(`${mark}-other@example.com`);
    const update = {
      alias: mark,
      firstName: `${mark}-first`,
      username: mark.slice(0, 20),
      metadata: { note: `${mark}-note`, [key]: `${mark}-field` },
    };
    await world.anonymous.put(world.sdk('/users'), update, { token: person.jwt, expect: 200 });
    const identifiers: string[] = [];
    for (const door of doors.values()) {
      const shown = door.fresh();
      await linkTo(person, shown);
      identifiers.push(shown.identifier.value);
      const { kind, value: address, provider } = shown.identifier;
      // One more that was begun, and not finished.
      if (provider === 'telegram') await beginLogin(address, mark);
      if (kind !== 'wallet') continue;
      const visit = { address, chain: 'EVM', provider: 'browserExtension', walletName: 'test' };
      await world.anonymous.post(world.sdk('/connect'), visit);
    }
    expect(codeOf(await accounts.verifyEmail(person.jwt, other.email))).toBe('merge_accounts_confirmation');
    const merged = await accounts.post('/users/merge', person.jwt);
    expect(merged.status).toBe(200);
    const wanted = { identifier: person.email, type: 'email', chains: ['EVM', 'SOL'] };
    await world.api.post(world.path('/embeddedWallets'), wanted, { expect: 201 });
    await addDevice(world, merged.body.jwt);
    const jwt = await refreshed(world, merged.body.jwt);
    await world.anonymous.get(world.sdk('/users/mfa/recovery'), { token: jwt, expect: 200 });
    await world.api.put(world.path(`/users/${person.userId}`), { lastName: `${mark}-last` }, { expect: 200 });
    // The last of the file, which the row of an export names.
    await world.api.post(world.path('/users'), { email: newEmail() }, { expect: 201 });
    const [users, visits] = [await exportOf('users'), await exportOf('visits')];
    await eventually('the receiver was told', () => receiver.of('user.updated').length > 1, 30_000);
    const planted = await PlantedRows.of(test, { ...person, environmentId: world.environmentId, mark });
    const rows = await planted.everywhere();
    // Named by a trigger and no reference; the row stays, of nobody. A job makes it as well, in its own time.
    await planted.unlessThere('analytics_people');

    const embedded = await rowsOf<{ address: string }>(
      test,
      "SELECT address FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded'",
      [world.environmentId, person.userId],
    );
    expect(embedded.length).toBeGreaterThan(0);
    // Shorter ones are numbers, which stand anywhere.
    const texts = [mark, person.email, ...identifiers.filter((text) => text.length > 9)];
    const people = peopleTables(await tablesOf(test.databaseUrl));
    const touched = new Set([...people, 'users', ...(await placesOf([...texts, person.userId]))]);
    const tables = (await copyTables(test.databaseUrl)).map(({ table }) => table);
    expect({
      unexplained: unexplained(tables, touched),
      touched: [...IMPERSONAL].filter((table) => touched.has(table)),
      gone: [...IMPERSONAL].filter((table) => !tables.includes(table)),
    }).toEqual({ unexplained: [], touched: [], gone: [] });
    // A table that nobody thought of would be reported.
    expect(unexplained([...tables, 'diaries'], touched)).toEqual(['diaries']);
    expect(await linesOf(users)).toContain(mark);
    expect(await linesOf(visits)).toContain(identifiers.find((text) => text.startsWith('0x')));

    const refused = await erase(jwt);
    expect([refused.status, refused.body.code]).toEqual([422, 'embedded_wallets_would_be_lost']);
    expect((await erase(jwt, '?eraseWallets=true')).status).toBe(204);
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
    const ids = await placesOf([person.userId]);
    const keys = await Promise.all(
      KEYS.map(async (table) => [
        table,
        await rowsOf(test, `SELECT 1 FROM ${table} WHERE user_id = $1`, [person.userId]),
      ]),
    );
    const addresses = embedded.map(({ address }) => address);
    const logged = log.text().toLowerCase();
    expect({
      identifiers: await placesOf(texts),
      planted: await planted.leftOf(rows),
      ids: ids.filter((place) => !PSEUDONYMS.includes(place)),
      keys: keys.filter(([, left]) => left!.length > 0),
      // The ledger accounts for keys by the addresses that they made, which are on their chains in any case.
      addresses: [...new Set(await placesOf(addresses))],
      log: texts.filter((text) => logged.includes(text.toLowerCase())),
    }).toEqual({ identifiers: [], planted: [], ids: [], keys: [], addresses: ['key_ledger'], log: [] });
    for (const file of [users, visits]) {
      await written(file.id);
      const lines = await linesOf(file);
      expect(texts.filter((text) => lines.includes(text))).toEqual([]);
    }
    expect(await rowsOf(test, 'SELECT 1 FROM erasures WHERE scrubbed_at IS NULL')).toEqual([]);

    const said: string[] = [];
    const print = jest.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
    await auditVerify(test.app, ['--organization', world.ids.organizationId]);
    await ledgerVerify(test.app, ['--environment', world.environmentId]);
    print.mockRestore();
    expect(said).toEqual([expect.stringMatching(/ok$/), expect.stringMatching(/ok$/)]);

    const told = receiver.of('user.deleted').filter(({ body }) => (body.data as { id: string }).id === person.userId);
    expect(told.map(({ body }) => body.data)).toEqual([
      { id: person.userId, projectEnvironmentId: world.environmentId },
    ]);
    const mails = test.app.get(DevInbox).entries.filter(({ subject }) => subject?.includes('was erased'));
    expect(mails.map(({ to }) => to)).toContain(person.email);
    expect((await world.signIn(person.email)).userId).not.toBe(person.userId);
  }, 180_000);

  it('is in no file of an export any more, once the store answers; a file that is asked for later stays', async () => {
    const own = await World.create(test);
    const person = await own.signIn(newEmail());
    const file = await exportOf('users', own);
    expect(await linesOf(file, own)).toContain(person.email);
    const [part] = readdirSync(folderOf(file.id, own));
    const storage = test.app.get(ExportStorage, { strict: false });
    const away = jest.spyOn(storage, 'removePart').mockRejectedValue(new Error('The store is away.'));
    await own.anonymous.delete(own.sdk('/users'), { token: person.jwt, expect: 204 });
    const job = test.app.get(ErasuresJob, { strict: false });
    const overdue = "UPDATE erasures SET due_at = now() - interval '6 min' WHERE environment_id = $1";
    await rowsOf(test, overdue, [own.environmentId]);
    await job.run();
    // Nobody can fetch it any more, and what is left of it is not forgotten.
    await written(file.id, own);
    expect(await linesOf(file, own)).not.toContain(person.email);
    expect(readdirSync(folderOf(file.id, own))).toContain(part);
    const open = await rowsOf(test, 'SELECT 1 FROM erasures WHERE environment_id = $1 AND scrubbed_at IS NULL', [
      own.environmentId,
    ]);
    expect(open).toHaveLength(1);
    away.mockRestore();
    const earlier = "SET created_at = created_at - interval '10 min' WHERE environment_id = $1";
    for (const table of ['erasures', 'exports']) await rowsOf(test, `UPDATE ${table} ${earlier}`, [own.environmentId]);
    const later = await exportOf('users', own);
    const laterParts = readdirSync(folderOf(later.id, own));
    await rowsOf(test, overdue, [own.environmentId]);
    await job.run();
    await written(file.id, own);
    expect(readdirSync(folderOf(file.id, own))).not.toContain(part);
    expect(readdirSync(folderOf(later.id, own))).toEqual(laterParts);
    expect(await linesOf(later, own)).not.toContain(person.email);
  }, 120_000);

  it('does not affect others in export files: only the last part is rewritten for the newest user, without visits of others', async () => {
    const own = await World.create(test);
    await fillRows(
      test,
      `INSERT INTO users (environment_id, id, email)
       SELECT $1, ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'user-' || n || '@example.com'
       FROM generate_series(1, $2::int) AS n`,
      [own.environmentId, 2_100],
    );
    const person = await own.signIn(newEmail());
    const visit = { address: getAddress(newAddress()), chain: 'EVM', provider: 'browserExtension', walletName: 'test' };
    await own.anonymous.post(own.sdk('/connect'), visit, { expect: 202 });
    const [users, visits] = [await exportOf('users', own), await exportOf('visits', own)];
    const partsOf = ({ id }: ExportFile) => readdirSync(folderOf(id, own)).toSorted();
    const [before, visitsBefore] = [partsOf(users), partsOf(visits)];
    await own.anonymous.delete(own.sdk('/users'), { token: person.jwt, expect: 204 });
    await test.app.get(ErasuresJob, { strict: false }).run();
    await written(users.id, own);
    const lines = await linesOf(users, own);
    expect([lines.includes(person.email), lines.trim().split('\n').length]).toEqual([false, 2_101]);
    expect(partsOf(users)).toEqual([before[0], expect.stringMatching(/^1-/)]);
    expect(partsOf(users)).not.toEqual(before);
    const { body } = await own.api.get<{ rows: number }>(own.path(`/exports/${users.id}`), { expect: 200 });
    expect(body.rows).toBe(2_100);
    expect(partsOf(visits)).toEqual(visitsBefore);
    expect(await linesOf(visits, own)).toContain(visit.address);
  }, 120_000);

  it('is removed from events and deliveries within a day also if a member or a server deletes the user', async () => {
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

  it('would be found: a planted trace is', async () => {
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

  it('is refused while an embedded wallet would be lost, unless confirmed; then the keys are destroyed', async () => {
    const ada = await world.signIn(newEmail());
    const wanted = { identifier: ada.email, type: 'email', chains: ['EVM'] };
    await world.api.post(world.path('/embeddedWallets'), wanted, { expect: 201 });
    const refused = await erase(ada.jwt);
    expect([refused.status, refused.body.code]).toEqual([422, 'embedded_wallets_would_be_lost']);
    expect((await erase(ada.jwt, '?eraseWallets=true')).status).toBe(204);
    expect(await rowsOf(test, 'SELECT id FROM wallet_seeds WHERE user_id = $1', [ada.userId])).toEqual([]);
  });

  it('is also refused while the only embedded wallet is hidden, which needs its keys to be restored', async () => {
    const ada = await world.signIn(newEmail());
    const { jwt: token, userId } = ada;
    const path = world.sdk('/users/embeddedWallets');
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    await world.anonymous.post(path, { embeddedWallets }, { token, expect: 201 });
    const [{ id }] = (await rowsOf<{ id: string }>(test, 'SELECT id FROM wallets WHERE user_id = $1', [userId])) as [
      { id: string },
    ];
    await world.anonymous.delete(`${path}/${id}/softDelete`, { token, expect: 204 });
    const refused = await erase(token);
    expect([refused.status, refused.body?.code]).toEqual([422, 'embedded_wallets_would_be_lost']);
    await world.anonymous.put(`${path}/${id}/restore`, undefined, { token, expect: 204 });
    const signed = await world.anonymous.post(`${path}/${id}/sign`, { kind: 'message', message: 'back' }, { token });
    expect(signed.status).toBe(200);
  });

  it('also destroys keys of previously deleted wallets, which would stay for thirty days', async () => {
    const key = newStamper();
    const { jwt: token, userId } = await world.signIn(newEmail(), { sessionPublicKey: key.publicKey });
    const path = world.sdk('/users/embeddedWallets');
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    await world.anonymous.post(path, { embeddedWallets }, { token, expect: 201 });
    const [wallet] = await rowsOf<{ id: string }>(test, 'SELECT id FROM wallets WHERE user_id = $1', [userId]);
    const { body } = await world.anonymous.get<string>(`${path}/${wallet!.id}/deleteRequest`, { token, expect: 200 });
    const keyvaultSignedRequest = key.stamp(body);
    await world.anonymous.delete(path, { token, body: { keyvaultSignedRequest }, expect: 204 });
    const seeds = () =>
      rowsOf(test, 'SELECT destroy_after > now() AS waits FROM wallet_seeds WHERE user_id = $1', [userId]);
    expect(await seeds()).toEqual([{ waits: true }]);
    expect((await erase(token)).status).toBe(204);
    expect(await seeds()).toEqual([]);
    const sql = "SELECT reason FROM key_ledger WHERE user_id = $1 AND operation = 'delete'";
    expect(await rowsOf(test, sql, [userId])).toEqual([{ reason: 'the user deleted the wallets' }]);
  });

  it('happens once, however many ask for it at the same moment', async () => {
    const ada = await world.signIn(newEmail());
    const answers = await Promise.all(Array.from({ length: 50 }, () => erase(ada.jwt)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 204 || status === 401)).toBe(true);
  });

  it.each(['the person', 'a server'])(
    'by %s deletes visits in whatever spelling of an address, and those of further addresses and hidden wallets',
    async (by) => {
      const account = randomBytes(20);
      const [tron, onNodes] = tronSpellings(`41${account.toString('hex')}`)!;
      const number = randomBytes(30).toString('hex');
      const [payment, ordinals] = [newBitcoinAddress(), newBitcoinAddress()];
      const wallets = [
        { publicWalletAddress: tron, chain: 'TRON' },
        { publicWalletAddress: `0x0000${number}`, chain: 'STARK' },
        {
          publicWalletAddress: payment,
          chain: 'BTC',
          additionalWalletAddresses: [{ address: ordinals, type: 'ordinals' }],
        },
      ].map((wallet) => ({ ...wallet, walletName: 'test', walletProvider: 'browserExtension' }));
      const email = newEmail();
      const emailVerifiedAt = new Date().toISOString();
      await world.api.post(world.path('/users'), { email, emailVerifiedAt, wallets }, { expect: 201 });
      const { jwt: token, userId } = await world.signIn(email);
      const path = world.sdk('/users/embeddedWallets');
      const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['SOL'] }];
      await world.anonymous.post(path, { embeddedWallets }, { token, expect: 201 });
      const sql = "SELECT id, address FROM wallets WHERE user_id = $1 AND kind = 'embedded'";
      const [hidden] = await rowsOf<{ id: string; address: string }>(test, sql, [userId]);
      await world.anonymous.delete(`${path}/${hidden!.id}/softDelete`, { token, expect: 204 });
      const visits = [
        [onNodes, 'TRON'],
        [`0x${number}`, 'STARK'],
        [ordinals, 'BTC'],
        [payment.toUpperCase(), 'BTC'],
        [hidden!.address, 'SOL'],
      ];
      for (const [address, chain] of visits) {
        const visit = { address, chain, provider: 'browserExtension', walletName: 'test' };
        await world.anonymous.post(world.sdk('/connect'), visit, { expect: 202 });
      }
      const left = () =>
        rowsOf(test, 'SELECT address FROM visitors WHERE address = ANY ($1)', [visits.map(([address]) => address)]);
      expect(await left()).toHaveLength(visits.length);
      if (by === 'a server') await world.api.delete(world.path(`/users/${userId}`), { expect: 204 });
      else expect((await erase(token, '?eraseWallets=true')).status).toBe(204);
      expect(await left()).toEqual([]);
    },
  );

  it('does not wait behind hundreds of users whom a server has deleted', async () => {
    const { live } = world.ids.environments;
    await fillRows(
      test,
      `INSERT INTO erasures (environment_id, id, user_ids, due_at)
       SELECT $1, gen_random_uuid(), ARRAY[gen_random_uuid()], now() - interval '6 min' FROM generate_series(1, 350)`,
      [live],
    );
    const mark = `canary${randomBytes(8).toString('hex')}`;
    const { jwt } = await world.signIn(`${mark}@example.com`);
    expect((await erase(jwt)).status).toBe(204);
    await test.app.get(ErasuresJob, { strict: false }).run();
    expect(await rowsOf(test, 'SELECT name FROM events WHERE strpos(data::text, $1) > 0', [mark])).toEqual([]);
    const open = 'SELECT 1 FROM erasures WHERE environment_id = $1 AND scrubbed_at IS NULL';
    expect(await rowsOf(test, open, [live])).toEqual([]);
  });

  it('and a concurrent sign-in of the same person do not deadlock', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => world.signIn(newEmail())));
    for (const { email, jwt } of people) {
      const verificationUUID = await world.sendCode(email);
      const signsIn = trySignIn(world, verificationUUID, world.code(email));
      const [erased, signedIn] = await Promise.all([erase(jwt), signsIn]);
      expect(erased.status).toBe(204);
      expect([200, 422]).toContain(signedIn.status);
    }
  });

  it('leaves other people alone', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const visit = { address: getAddress(newAddress()), chain: 'EVM', provider: 'browserExtension', walletName: 'test' };
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

  it('is written to a file: everything stored, without secrets or data of others', async () => {
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

  it('is cut after 10 000 rows of a table, which the file then names, whether the table refers to users or not', async () => {
    const { userId } = await world.signIn(newEmail());
    await fillRows(
      test,
      `INSERT INTO events (environment_id, id, name, user_id, subject_user_id, data, dispatched_at)
       SELECT $1, gen_random_uuid(), 'user.updated', $2, $2, '{}', now() FROM generate_series(1, 10001)`,
      [world.environmentId, userId],
    );
    const path = join(folder, 'much.json');
    await exported(userId, path);
    const { records, cut } = JSON.parse(readFileSync(path, 'utf8')) as { records: object; cut: string[] };
    expect(records).toHaveProperty('events.length', 10_000);
    expect(cut).toEqual(['events']);
  });
});
