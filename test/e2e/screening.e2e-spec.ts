import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { SanctionsListsRepository } from '../../src/access-control/screening/sanctions-lists.repository.js';
import { ScreeningChecksRepository } from '../../src/access-control/screening/screening-checks.repository.js';
import { screeningImport } from '../../src/cli/screening.commands.js';
import { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import { KeyImport } from '../../src/custody/index.js';
import { Database } from '../../src/database/index.js';
import { DevInbox } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { bringKey } from '../support/imported-key.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { newAddress } from '../support/surface/records.js';
import { VendorServer } from '../support/vendor-server.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

interface Answer {
  jwt?: string;
  code?: string;
  hint?: string;
  payload?: { walletPublicKey?: string };
  user: { id: string; screeningChecks?: { result: string; walletPublicKey: string; response: string }[] };
}
interface State {
  sanctionsApiEnabled: boolean;
  kytApiEnabled: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sanctions-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function newTenant(test: TestApp): Promise<World> {
  const world = await World.create(test);
  await addSite(world);
  return world;
}
const screening = (world: World, rest = ''): string => world.path(`/integrations/screening${rest}`);
const enable = (world: World) => world.api.put(screening(world, '/sanctions/enable'), undefined, { expect: 200 });
const signIn = async (world: World, key = newKey()) =>
  world.anonymous.post<Answer>(world.sdk('/verify'), await keySignIn(world, key));
const usersOf = (world: World): Promise<object[]> =>
  rowsOf(world.test, 'SELECT id FROM users WHERE environment_id = $1', [world.environmentId]);
const wallet = (address: string) => ({
  ...{ publicWalletAddress: address, chain: 'EVM', walletName: 't', walletProvider: 'browserExtension' },
});

/** What an import leaves behind of a user, and the rows of the ledger about it. */
const importsOf = (world: World, userId: string) =>
  rowsOf<{ wallets: number; keys: number; credentials: number; ledger: string[] }>(
    world.test,
    `SELECT (SELECT count(*)::int FROM wallets WHERE user_id = $1) AS wallets,
       (SELECT count(*)::int FROM wallet_seeds WHERE user_id = $1) AS keys,
       (SELECT count(*)::int FROM credentials WHERE user_id = $1 AND format = 'blockchain') AS credentials,
       (SELECT coalesce(json_agg(verdict ORDER BY sequence), '[]') FROM key_ledger
        WHERE environment_id = $2 AND user_id = $1 AND operation = 'import') AS ledger`,
    [userId, world.environmentId],
  );

/** Counts how often what was taken of a key is zeroed. */
function zeroed(test: TestApp) {
  const imports = test.app.get(KeyImport, { strict: false });
  const discard = jest.fn();
  const take = imports.take.bind(imports);
  const spy = jest.spyOn(imports, 'take').mockImplementation(async (...sent) => {
    const keys = await take(...sent);
    discard.mockImplementation(() => keys.discard());
    return { ...keys, discard };
  });
  return { discard, stop: () => spy.mockRestore() };
}

/** Moves what the service takes for the time in memory. */
let offset = 0;
function ahead(test: TestApp, seconds: number): void {
  offset += seconds * 1000;
  test.app.get(Clock).timestamp = () => Date.now() + offset;
}

const listOf = (addresses: readonly string[], currency = 'ETH'): string => {
  const ids = addresses.map(
    (address) => `<id><idType>Digital Currency Address - ${currency}</idType><idNumber>${address}</idNumber></id>`,
  );
  const entry = `<sdnEntry><uid>42</uid><lastName>SOMEBODY</lastName><idList>${ids.join('')}</idList></sdnEntry>`;
  return `<sdnList><Publish_Date>11/20/2026</Publish_Date>${entry}</sdnList>`;
};
async function importList(test: TestApp, text: string, ...more: string[]): Promise<string> {
  const file = join(folder, 'sdn.xml');
  writeFileSync(file, text);
  const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await screeningImport(test.app, ['--file', file, ...more]);
    return String(said.mock.calls[0]?.[0]);
  } finally {
    said.mockRestore();
    ahead(test, 61);
  }
}

describe('with the list that the operator imports', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' }, ownDatabase: true });
  });
  afterAll(() => test.close());

  const imported = (text: string, ...more: string[]): Promise<string> => importList(test, text, ...more);

  it('there is nothing to turn on before one is there, and the refusal says what is missing', async () => {
    const world = await newTenant(test);
    const state = { sanctionsApiEnabled: false, kytApiEnabled: false, projectEnvironmentId: world.environmentId };
    expect((await world.api.get(screening(world), { expect: 200 })).body).toMatchObject(state);
    const refused = await world.api.put<Answer>(screening(world, '/sanctions/enable'), undefined, { expect: 422 });
    expect(refused.body).toMatchObject({
      code: 'screening_not_configured',
      hint: expect.stringMatching(/SANCTIONS_API_KEY.*screening import/),
    });
    expect((await world.api.get<State>(screening(world), { expect: 200 })).body).toMatchObject(state);
  });

  it('fifty calls at once turn it on once, told and audited', async () => {
    await imported(listOf([newAddress(), newAddress()]));
    const world = await newTenant(test);
    const all = await Promise.all(Array.from({ length: 50 }, () => enable(world)));
    expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(all[0]!.body).toMatchObject({ sanctionsApiEnabled: true });
    const names = (await eventsOf(test, world.environmentId)).map(({ name }) => name);
    expect(names.filter((name) => name === 'screening.sanctions.enabled')).toHaveLength(1);
    const audited = await auditOf(test, world.ids.organizationId, { action: 'screening.sanctions.enabled' });
    expect(audited).toHaveLength(1);
    await world.api.put(screening(world, '/sanctions/disable'), undefined, { expect: 200 });
    expect((await world.api.get<State>(screening(world), { expect: 200 })).body.sanctionsApiEnabled).toBe(false);
  });

  it('a listed wallet gets no token, no cookie, no user and no wallet; it is told and audited', async () => {
    const world = await newTenant(test);
    const key = newKey();
    expect(await imported(listOf([key.address.toLowerCase(), newAddress()], 'USDT'))).toContain('(USDT 2)');
    await enable(world);
    const answer = await signIn(world, key);
    expect([answer.status, answer.body.code]).toEqual([403, 'wallet_blocked']);
    expect(answer.body.payload).toEqual({ walletPublicKey: key.address });
    expect(JSON.stringify(answer.body)).not.toContain('SOMEBODY');
    expect([answer.body.jwt, answer.headers.get('set-cookie')]).toEqual([undefined, null]);
    expect(await usersOf(world)).toEqual([]);
    const told = (await eventsOf(test, world.environmentId)).filter(({ name }) => name === 'wallet.screening.blocked');
    expect(told.map(({ data }) => data)).toEqual([
      { walletPublicKey: key.address, response: expect.stringMatching(/OFAC SDN 42 SOMEBODY \(USDT\)/) },
    ]);
    const audited = await auditOf(test, world.ids.organizationId, { action: 'wallet.screening.blocked' });
    expect(audited.map(({ resourceId }) => resourceId)).toEqual([key.address]);
    expect((await signIn(world)).status).toBe(200);
  });

  it('somebody whose wallet comes to be listed renews nothing any more, by whatever way they signed in', async () => {
    const world = await newTenant(test);
    const address = newAddress();
    await imported(listOf([newAddress()]), '--smaller');
    await enable(world);
    const email = newEmail();
    const { jwt, userId } = await world.signIn(email);
    await fillRows(
      test,
      `INSERT INTO credentials (environment_id, id, user_id, format, address, chain, public_identifier, wallet_provider, verified_at)
       VALUES ($1, gen_random_uuid(), $2, 'blockchain', $3, 'EVM', $3, 'browserExtension', now())`,
      [world.environmentId, userId, address],
    );
    const refresh = () => world.anonymous.withToken(jwt).post<Answer>(world.sdk('/refresh'));
    const clean = await refresh();
    expect(clean.status).toBe(200);
    expect(clean.body.user.id).toBe(userId);
    await imported(listOf([address]));
    const read = async () =>
      (await world.api.get<Answer>(world.path(`/users/${userId}`), { expect: 200 })).body.user.screeningChecks;
    expect(await read()).toMatchObject([{ result: 'OK', walletPublicKey: address }]);
    const renewed = await world.anonymous.withToken(clean.body.jwt!).post<Answer>(world.sdk('/refresh'));
    expect([renewed.status, renewed.body.code]).toEqual([403, 'wallet_blocked']);
    expect(await read()).toMatchObject([{ result: 'BLOCKED', walletPublicKey: address }]);
    const uuid = await world.sendCode(email);
    const again = { verificationUUID: uuid, verificationToken: world.code(email) };
    await world.anonymous.post(world.sdk('/emailVerifications/signin'), again, { expect: 403 });
    expect(await read()).toHaveLength(1);
  });

  it('a listed wallet is neither linked nor attached, nor does a user come with one', async () => {
    const world = await newTenant(test);
    const key = newKey();
    await imported(listOf([key.address]), '--smaller');
    await enable(world);
    const ann = await world.signIn(newEmail());
    const linked = await world.anonymous
      .withToken(ann.jwt)
      .post<Answer>(world.sdk('/verify/link'), await keySignIn(world, key));
    expect([linked.status, linked.body.code]).toEqual([403, 'wallet_blocked']);
    const path = world.path(`/users/${ann.userId}/wallets`);
    expect((await world.api.post<Answer>(path, wallet(key.address))).body.code).toBe('wallet_blocked');
    const user = { email: newEmail(), wallets: [wallet(key.address)] };
    expect((await world.api.post<Answer>(world.path('/users'), user)).body.code).toBe('wallet_blocked');
    // With a key as well, whose refused call leaves nothing else.
    const keyed = { headers: { 'Idempotency-Key': key.address } };
    const refused = await world.api.post<Answer>(world.path('/users'), user, keyed);
    expect([refused.status, refused.body.code]).toEqual([403, 'wallet_blocked']);
    const told = (await eventsOf(test, world.environmentId)).filter(({ name }) => name === 'wallet.screening.blocked');
    expect(told).toHaveLength(4);
    const found = await rowsOf(test, 'SELECT id FROM wallets WHERE environment_id = $1', [world.environmentId]);
    expect([found, await usersOf(world)]).toEqual([[], [{ id: ann.userId }]]);
    await world.api.put(screening(world, '/sanctions/disable'), undefined, { expect: 200 });
    await world.api.post(path, wallet(key.address), { expect: 201 });
  });

  it('a listed key is not imported: nothing of it is kept, nobody is mailed, and the session goes on', async () => {
    const world = await newTenant(test);
    const key = randomBytes(32);
    const { address } = privateKeyToAccount(`0x${key.toString('hex')}`);
    await imported(listOf([address.toLowerCase()]), '--smaller');
    await enable(world);
    const ann = await world.signIn(newEmail());
    const mailed = () => test.app.get(DevInbox).entries.filter(({ to }) => to === ann.email).length;
    const before = mailed();
    const { discard, stop } = zeroed(test);
    const refused = await bringKey(world, ann, key).finally(stop);
    expect([refused.status, refused.body.code]).toEqual([403, 'wallet_blocked']);
    expect(discard).toHaveBeenCalledTimes(1);
    const nothing = { wallets: 0, keys: 0, credentials: 0 };
    expect(await importsOf(world, ann.userId)).toEqual([{ ...nothing, ledger: ['wallet_blocked'] }]);
    expect(mailed()).toBe(before);
    const told = (await eventsOf(test, world.environmentId)).map(({ name }) => name);
    expect(told.filter((name) => /^wallet\./.test(name))).toEqual(['wallet.screening.blocked']);
    const going = await world.anonymous
      .withToken(ann.jwt)
      .post<Answer>(world.sdk('/refresh'), undefined, { expect: 200 });
    const clean = await bringKey(world, { ...ann, jwt: going.body.jwt! }, randomBytes(32));
    expect(clean.status).toBe(201);
    expect(await importsOf(world, ann.userId)).toEqual([
      { wallets: 1, keys: 1, credentials: 1, ledger: ['wallet_blocked', 'allowed'] },
    ]);
    expect(mailed()).toBe(before + 1);
  });

  it('a file that is cut off, another one, or one that lost most of its addresses leaves the list in force', async () => {
    const world = await newTenant(test);
    const key = newKey();
    const list = listOf([key.address, newAddress(), newAddress()]);
    await imported(list, '--smaller');
    expect(await imported(list)).toContain('already in force');
    await enable(world);
    const refusals: [string, RegExp][] = [
      [list.slice(0, -9), /its end is missing/],
      ['<html></html>', /no list of the OFAC/],
      [listOf([]), /no digital currency address/],
      [listOf([newAddress()]), /1 addresses, and the list in force 3/],
    ];
    for (const [text, why] of refusals) await expect(imported(text)).rejects.toThrow(why);
    expect((await signIn(world, key)).status).toBe(403);
    const versions = await rowsOf<{ published_on: string }>(test, 'SELECT published_on FROM sanctions_lists');
    expect(versions.length).toBeGreaterThan(1);
    expect(versions.every(({ published_on: on }) => on === '11/20/2026')).toBe(true);
  });

  it('a list of twenty thousand addresses is taken within seconds and decides as quickly', async () => {
    const world = await newTenant(test);
    const key = newKey();
    const addresses = [...Array.from({ length: 20_000 }, () => newAddress()), key.address];
    const startedAt = performance.now();
    await imported(listOf(addresses));
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    await enable(world);
    expect((await signIn(world, key)).status).toBe(403);
    expect((await signIn(world)).status).toBe(200);
  });

  it('what was found of a wallet gives way to what is found later, and none of it is kept of a user who is gone', async () => {
    const world = await newTenant(test);
    const { userId } = await world.signIn(newEmail());
    const checks = test.app.get(ScreeningChecksRepository, { strict: false });
    const keep = (user: string, result: 'OK' | 'BLOCKED', response: string) =>
      checks.keep(world.environmentId, user, [{ address: 'a', result, response }], test.app.get(Database));
    await keep(userId, 'OK', 'first');
    await keep(userId, 'BLOCKED', 'second');
    await keep(newId(), 'OK', 'of nobody');
    const kept = 'SELECT user_id AS "userId", result, response FROM screening_checks WHERE environment_id = $1';
    expect(await rowsOf(test, kept, [world.environmentId])).toEqual([
      { userId, result: 'BLOCKED', response: 'second' },
    ]);
  });

  it('the newest twenty lists are kept, of which the newest is in force', async () => {
    const lists = test.app.get(SanctionsListsRepository, { strict: false });
    const digests = Array.from({ length: 22 }, (_, at) => `list ${at}`);
    for (const digest of digests) await lists.add({ id: newId(), digest, publishedOn: null }, []);
    const kept = await rowsOf<{ digest: string }>(test, 'SELECT digest FROM sanctions_lists ORDER BY imported_at');
    expect(kept.map(({ digest }) => digest)).toEqual(digests.slice(2));
    expect((await lists.findNewest())?.digest).toBe(digests.at(-1));
  });
});

describe('with a screening service', () => {
  const KEY = 'screening-key-of-the-test';
  let test: TestApp;
  let vendor: VendorServer;
  let listed: string;
  let answer: unknown;
  beforeAll(async () => {
    vendor = await VendorServer.start({
      sanctions: ({ path, headers }) => {
        if (headers['x-api-key'] !== KEY) return { status: 403, json: {} };
        if (answer !== undefined) return { json: answer };
        const isHit = path === `/sanctions/address/${listed}`;
        return { json: { identifications: isHit ? [{ category: 'sanctions', name: 'SANCTIONS: X' }] : [] } };
      },
    });
    const addresses = JSON.stringify({ sanctions: { api: `${vendor.origin}/sanctions` } });
    const env = { SANCTIONS_API_KEY: KEY, PROVIDER_ADDRESSES: addresses, EGRESS_ALLOW: '127.0.0.1' };
    test = await startTestApp({ env: { ROLE: 'api', ...env }, ownDatabase: true });
  });
  afterAll(async () => {
    await test.close();
    await vendor.close();
  });
  beforeEach(() => vendor.forget());

  it('a hit is refused, and a clean wallet is asked about once within a minute', async () => {
    const world = await newTenant(test);
    await enable(world);
    const [bad, good] = [newKey(), newKey()];
    listed = bad.address;
    expect((await signIn(world, bad)).body.code).toBe('wallet_blocked');
    expect((await signIn(world, good)).status).toBe(200);
    expect((await signIn(world, good)).status).toBe(200);
    expect(vendor.count('sanctions')).toBe(2);
  });

  it('what was said of a wallet counts for a minute, however often the wallet is used meanwhile', async () => {
    const world = await newTenant(test);
    await enable(world);
    const { address } = newKey();
    // From here on, times differ by what they move alone.
    ahead(test, 0);
    const create = () =>
      world.api.post<Answer>(world.path('/users'), { email: newEmail(), wallets: [wallet(address)] });
    expect((await create()).status).toBe(201);
    ahead(test, 40);
    await create();
    listed = address;
    ahead(test, 40);
    expect((await create()).body.code).toBe('wallet_blocked');
    expect(vendor.count('sanctions')).toBe(2);
  });

  it('a wallet with a listed address beside its own is refused as if it were its own', async () => {
    const world = await newTenant(test);
    await enable(world);
    listed = newAddress();
    const beside = async () => ({
      ...(await keySignIn(world)),
      additionalWalletAddresses: [{ address: listed, type: 'payment', publicKey: '02ab' }],
    });
    const ann = await world.signIn(newEmail());
    const outcomes = [
      await world.anonymous.post<Answer>(world.sdk('/verify'), await beside()),
      await world.anonymous.withToken(ann.jwt).post<Answer>(world.sdk('/verify/link'), await beside()),
    ];
    expect(outcomes.map(({ status, body }) => [status, body.code, body.payload?.walletPublicKey])).toEqual([
      [403, 'wallet_blocked', listed],
      [403, 'wallet_blocked', listed],
    ]);
    expect(await usersOf(world)).toEqual([{ id: ann.userId }]);
  });

  it.each(['down', 'garbage', 'rate-limited', 'oversize'] as const)(
    'that is %s admits, links, makes and imports no wallet',
    async (mood) => {
      const world = await newTenant(test);
      await enable(world);
      const ann = await world.signIn(newEmail());
      vendor.moods.set('sanctions', mood);
      const key = newKey();
      // The second time as well: what nobody has said of a wallet is not remembered as clean.
      for (const answer of [await signIn(world, key), await signIn(world, key)])
        expect([answer.status, answer.body.code]).toEqual([403, 'screening_undecided']);
      const request = { identifier: ann.userId, type: 'id', chain: 'EVM' };
      const made = await world.api.post<Answer>(world.path('/embeddedWallets'), request);
      expect([made.status, made.body.code]).toEqual([403, 'screening_undecided']);
      const brought = await bringKey(world, ann, randomBytes(32));
      expect([brought.status, brought.body.code]).toEqual([403, 'screening_undecided']);
      const wallets = await rowsOf(test, 'SELECT id FROM wallets WHERE environment_id = $1', [world.environmentId]);
      expect([wallets, await usersOf(world)]).toEqual([[], [{ id: ann.userId }]]);
      vendor.moods.clear();
      expect((await signIn(world)).status).toBe(200);
      await world.api.post(world.path('/embeddedWallets'), request, { expect: 201 });
    },
  );

  it('an answer in another form is no answer', async () => {
    const world = await newTenant(test);
    await enable(world);
    for (const json of [{}, { identifications: null }, [], 'ok']) {
      answer = json;
      expect((await signIn(world)).body.code).toBe('screening_undecided');
    }
    answer = undefined;
    expect((await signIn(world)).status).toBe(200);
  });

  it('a hit is refused whatever it is said to be, also what cannot be stored', async () => {
    const world = await newTenant(test);
    await enable(world);
    for (const name of ['X\0', 'X\ud800', `${'x'.repeat(499)}😀`, 7, { toString: null }]) {
      answer = { identifications: [{ category: 'sanctions', name }] };
      expect([name, (await signIn(world)).body.code]).toEqual([name, 'wallet_blocked']);
    }
    answer = undefined;
  });

  it('that is down is not made up for by a list on which the wallet is not', async () => {
    const world = await newTenant(test);
    await enable(world);
    await importList(test, listOf([newAddress()]));
    vendor.moods.set('sanctions', 'down');
    const refused = await signIn(world);
    vendor.moods.clear();
    expect([refused.status, refused.body.code]).toEqual([403, 'screening_undecided']);
    expect((await signIn(world)).status).toBe(200);
  });
});
