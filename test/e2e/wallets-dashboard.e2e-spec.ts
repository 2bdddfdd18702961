import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { countStatements } from '../support/statements.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

type Json = Record<string, unknown>;
interface WalletJson {
  id: string;
  chain: string;
  publicKey: string;
}
interface OneUser {
  user: { id: string; wallets: WalletJson[]; verifiedCredentials: Json[] };
}
interface Page {
  count: number;
  limit: number;
  offset: number;
  wallets: (WalletJson & Json)[];
}

const CALLERS = 50;
const newAddress = () => `0x${randomBytes(20).toString('hex')}`;
const external = (address = newAddress()): Json => ({
  publicWalletAddress: address,
  chain: 'EVM',
  walletName: 'a wallet',
  walletProvider: 'browserExtension',
});

describe('the dashboard', () => {
  let test: TestApp;
  let world: World;
  const newUser = async () => (await world.api.post<OneUser>(world.path('/users'), {}, { expect: 201 })).body.user.id;
  const read = async (userId: string) => (await world.api.get<OneUser>(world.path(`/users/${userId}`))).body.user;
  const attach = (userId: string, body: Json) =>
    world.api.post<WalletJson & { code: string }>(world.path(`/users/${userId}/wallets`), body);
  const withWallets = async (chains: string[]) =>
    (await world.api.post<OneUser>(world.path('/embeddedWallets'), { identifier: newEmail(), type: 'email', chains }))
      .body.user;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  describe('attaches an external wallet', () => {
    it('with its credential, which signs nobody in, and one event', async () => {
      const userId = await newUser();
      const request = {
        ...external(),
        additionalWalletAddresses: [{ address: 'cosmos1abc', type: 'cosmos', publicKey: 'ab' }],
      };
      const { status, body } = await attach(userId, request);
      expect(status).toBe(201);
      const user = await read(userId);
      expect(user.wallets).toEqual([body]);
      expect(user.verifiedCredentials).toMatchObject([
        { format: 'blockchain', address: body.publicKey, signInEnabled: false, wallet_name: 'a wallet' },
      ]);
      expect(user.verifiedCredentials[0]).not.toHaveProperty('verifiedAt');
      const told = (await eventsOf(test, world.environmentId)).filter(({ data }) => data['userId'] === userId);
      expect(told).toMatchObject([{ name: 'wallet.linked', resourceId: body.id, data: { ...body, userId } }]);
    });

    it('to several users, but to none twice, whatever the case where that is no difference', async () => {
      const [one, other, address] = [await newUser(), await newUser(), newAddress()];
      expect((await attach(one, external(address))).status).toBe(201);
      expect((await attach(other, external(address))).status).toBe(201);
      const shouted = `0x${address.slice(2).toUpperCase()}`;
      for (const chain of ['EVM', 'ETH']) {
        const again = await attach(one, { ...external(shouted), chain });
        expect(again).toMatchObject({ status: 422, body: { code: 'duplicate_exists' } });
      }
      expect((await read(one)).wallets).toHaveLength(1);
      for (const [chain, text, isOne] of [
        ['BTC', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', true],
        ['SUI', `0x${'ab'.repeat(32)}`, true],
        ['COSMOS', 'cosmos1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5lzv7xu', true],
        ['COSMOS', 'osmo1qypqxpq9qcrsszg2pvxq6rs0zqg3yyc5p4m5hf', true],
        ['SOL', 'US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx', false],
      ] as const) {
        expect((await attach(one, { ...external(text), chain })).status).toBe(201);
        const again = await attach(one, { ...external(text.toUpperCase()), chain });
        expect([chain, again.status]).toEqual([chain, isOne ? 422 : 201]);
      }
    });

    it('to its own user not again where the service keeps its keys', async () => {
      const { id, wallets } = await withWallets(['EVM']);
      const { publicKey } = wallets[0]!;
      for (const [chain, address] of [
        ['EVM', publicKey],
        ['ETH', publicKey.toLowerCase()],
      ] as const) {
        const again = await attach(id, { ...external(address), chain });
        expect(again).toMatchObject({ status: 422, body: { code: 'duplicate_exists' } });
      }
      expect((await read(id)).wallets).toHaveLength(1);
      expect((await attach(await newUser(), external(publicKey))).status).toBe(201);
    });

    it(`once, asked for ${CALLERS} times at once`, async () => {
      const userId = await newUser();
      const request = external();
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => attach(userId, request)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(CALLERS - 1).fill(422)]);
      const told = (await eventsOf(test, world.environmentId)).filter(({ data }) => data['userId'] === userId);
      expect(told).toHaveLength(1);
    });

    it('up to a hundred of a user', async () => {
      const own = await World.create(test);
      const userId = (await own.api.post<OneUser>(own.path('/users'), {}, { expect: 201 })).body.user.id;
      const attach = (id: string, body: Json) => own.api.post(own.path(`/users/${id}/wallets`), body);
      await rowsOf(
        test,
        `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider)
         SELECT $1, gen_random_uuid(), $2, 'external', 'many', 'EVM', 'a' || n, 'browserExtension'
         FROM generate_series(1, 99) AS n`,
        [own.environmentId, userId],
      );
      const answers = await Promise.all([1, 2, 3].map(() => attach(userId, external())));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
      expect(await attach(userId, external())).toMatchObject({ status: 422, body: { code: 'too_many_wallets' } });
    });

    it('to no user of another environment, and to none that is unknown', async () => {
      const foreign = await World.create(test);
      const { body } = await foreign.api.post<OneUser>(foreign.path('/users'), {});
      expect((await attach(body.user.id, external())).status).toBe(404);
      expect((await attach(randomUUID(), external())).status).toBe(404);
    });

    it.each([
      ['no address', { publicWalletAddress: undefined }],
      ['an address with other letters', { publicWalletAddress: 'a b' }],
      ['an unknown chain', { chain: 'DOGE' }],
      ['no name', { walletName: '' }],
      ['an unknown provider', { walletProvider: 'pigeon' }],
    ])('never with %s', async (_, wrong) => {
      const userId = await newUser();
      expect(await attach(userId, { ...external(), ...wrong })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      });
      expect((await read(userId)).wallets).toEqual([]);
    });
  });

  it('makes embedded wallets of a user who is known with one look at whose the identifier is', async () => {
    const identifier = newEmail();
    await world.api.post(world.path('/users'), { email: identifier }, { expect: 201 });
    const wanted = { identifier, type: 'email', chains: ['EVM', 'SOL'] };
    const { sent } = await countStatements(() =>
      world.api.post(world.path('/embeddedWallets'), wanted, { expect: 201 }),
    );
    expect(sent.filter(({ name }) => name === 'identifierClaims.find')).toHaveLength(1);
  });

  it('reaches wallets by the older paths as by the newer ones', async () => {
    const userId = await newUser();
    const made = await world.api.post<WalletJson>(`/users/${userId}/wallets`, external(), { expect: 201 });
    const newer = await world.api.get(world.path(`/users/${userId}/wallets`));
    for (const caller of [world.api, world.owner]) {
      expect((await caller.get(`/users/${userId}/wallets`, { expect: 200 })).body).toEqual(newer.body);
      expect((await caller.get(`/wallets/${made.body.id}`, { expect: 200 })).body).toEqual(made.body);
    }
    const other = await World.create(test);
    for (const caller of [other.api, other.owner]) {
      await caller.get(`/wallets/${made.body.id}`, { expect: 404 });
      await caller.get(`/users/${userId}/wallets`, { expect: 404 });
      await caller.delete(`/wallets/${made.body.id}`, { expect: 404 });
    }
    await world.owner.delete(`/wallets/${made.body.id}`, { expect: 204 });
    await world.api.get(`/wallets/${made.body.id}`, { expect: 404 });
  });

  it('lists the wallets of an environment in pages, newest first, and no others', async () => {
    const own = await World.create(test);
    const list = async (query = '') => (await own.api.get<Page>(own.path(`/wallets${query}`), { expect: 200 })).body;
    expect(await list()).toEqual({ count: 0, limit: 50, offset: 0, wallets: [] });
    expect(await list('?offset=10')).toMatchObject({ count: 0, wallets: [] });
    const { body } = await own.api.post<OneUser>(own.path('/users'), {});
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) {
      const path = own.path(`/users/${body.user.id}/wallets`);
      ids.unshift((await own.api.post<WalletJson>(path, external(), { expect: 201 })).body.id);
    }
    const all = await list();
    expect([all.count, all.wallets.map(({ id }) => id)]).toEqual([5, ids]);
    const page = await list('?limit=2&offset=1');
    expect(page).toMatchObject({ count: 5, limit: 2, offset: 1, wallets: all.wallets.slice(1, 3) });
    expect(await list('?offset=99')).toMatchObject({ count: 5, wallets: [] });
    expect(all.wallets[0]).toMatchObject({
      userId: body.user.id,
      projectEnvironmentId: own.environmentId,
      lowerPublicKey: all.wallets[0]!.publicKey.toLowerCase(),
      deletedAt: null,
    });
    for (const wrong of ['limit=0', 'limit=101', 'offset=-1', 'limit=x']) {
      await own.api.get(own.path(`/wallets?${wrong}`), { expect: 400 });
    }
  });

  it('is told the versions of embedded wallets that are in use', async () => {
    const own = await World.create(test);
    const versions = async () => (await own.api.get(own.path('/embeddedWalletVersions'), { expect: 200 })).body;
    const { body } = await own.api.post<OneUser>(own.path('/users'), { wallets: [external()] });
    expect(await versions()).toEqual([]);
    await own.api.post(own.path('/embeddedWallets'), { identifier: body.user.id, type: 'id', chain: 'EVM' });
    expect(await versions()).toEqual(['V1']);
  });

  describe('recovers what a user has hidden', () => {
    const recover = (body: Json) =>
      world.api.post<{ data: { walletIds: string[] } }>(world.path('/wallets/recover'), body);
    const hideAll = (userId: string) =>
      rowsOf(test, "UPDATE wallets SET deleted_at = now() WHERE user_id = $1 AND chain <> 'EVM'", [userId]);

    it('all of it, each wallet told once, and nothing the second time', async () => {
      const { id, wallets } = await withWallets(['EVM', 'SOL', 'SUI']);
      await hideAll(id);
      expect((await read(id)).wallets).toEqual([wallets[0]]);
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => recover({ userId: id.toUpperCase() })));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(answers.flatMap(({ body }) => body.data.walletIds).sort()).toEqual(
        wallets
          .slice(1)
          .map((wallet) => wallet.id)
          .sort(),
      );
      expect((await read(id)).wallets).toEqual(wallets);
      const told = (await eventsOf(test, world.environmentId)).filter(
        ({ name, data }) => name === 'wallet.restored' && data['userId'] === id,
      );
      expect(told.map(({ resourceId }) => resourceId)).toEqual(wallets.slice(1).map((wallet) => wallet.id));
    });

    it('but not of users who are unknown, of another environment, or not named', async () => {
      const foreign = await World.create(test);
      const { body } = await foreign.api.post<OneUser>(foreign.path('/users'), {});
      for (const userId of [body.user.id, randomUUID(), 'nobody']) expect((await recover({ userId })).status).toBe(404);
      for (const wrong of [{}, { userId: '' }, { userId: 1 }]) expect((await recover(wrong)).status).toBe(400);
    });
  });

  describe('a user who is signed in', () => {
    const someone = async (): Promise<{ signedIn: SignedIn; wallets: WalletJson[] }> => {
      const signedIn = await world.signIn(newEmail());
      const request = { identifier: signedIn.userId, type: 'id', chains: ['EVM', 'SOL'] };
      const { body } = await world.api.post<OneUser>(world.path('/embeddedWallets'), request);
      return { signedIn, wallets: body.user.wallets };
    };
    const own = (rest: string) => world.sdk(`/users/embeddedWallets/${rest}`);

    it('hides an embedded wallet and has it back, with the same address and id', async () => {
      const { signedIn, wallets } = await someone();
      const { jwt: token, userId } = signedIn;
      const [evm, sol] = wallets;
      await world.anonymous.delete(own(`${evm!.id}/softDelete`), { token, expect: 204 });
      expect(await read(userId)).toMatchObject({ wallets: [sol] });
      expect((await read(userId)).verifiedCredentials.map((one) => one['embedded_wallet_id'])).not.toContain(evm!.id);
      await world.api.get(world.path(`/wallets/${evm!.id}`), { expect: 404 });
      await world.api.delete(world.path(`/wallets/${evm!.id}`), { expect: 404 });
      await world.anonymous.delete(own(`${evm!.id}/softDelete`), { token, expect: 404 });
      const again = { identifier: userId, type: 'id', chains: ['EVM'] };
      expect((await world.api.post<OneUser>(world.path('/embeddedWallets'), again)).body.user.wallets).toEqual([sol]);
      const { body } = await world.api.get<Page>(world.path('/wallets?limit=100'));
      expect(body.wallets.find(({ id }) => id === evm!.id)).toMatchObject({ deletedAt: expect.any(String) });

      for (let round = 0; round < 2; round++) {
        await world.anonymous.put(own(`${evm!.id}/restore`), undefined, { token, expect: 204 });
        expect((await read(userId)).wallets).toEqual(wallets);
      }
      const told = await eventsOf(test, world.environmentId, evm!.id);
      expect(told.map(({ name }) => name)).toEqual(['wallet.created', 'wallet.deleted', 'wallet.restored']);
    });

    it('touches no wallet of somebody else, no external one and no unknown one', async () => {
      const [mine, other] = [await someone(), await someone()];
      const { body: linked } = await attach(mine.signedIn.userId, external());
      const token = mine.signedIn.jwt;
      for (const id of [other.wallets[0]!.id, linked.id, randomUUID()]) {
        await world.anonymous.delete(own(`${id}/softDelete`), { token, expect: 404 });
        await world.anonymous.put(own(`${id}/restore`), undefined, { token, expect: 404 });
      }
      expect((await read(other.signedIn.userId)).wallets).toEqual(other.wallets);
    });

    it('leaves no credential behind of a wallet that is hidden at the moment in which it is brought back', async () => {
      const { signedIn, wallets } = await someone();
      const { jwt: token, userId } = signedIn;
      const { id } = wallets[0]!;
      const hide = (status: number) => world.anonymous.delete(own(`${id}/softDelete`), { token, expect: status });
      const hidden = await withClient(test.databaseUrl, async (other) => {
        const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await other.query(`CREATE TEMP TABLE kept AS SELECT * FROM credentials WHERE wallet_id = '${id}'`);
        await hide(204);
        await other.query(`BEGIN; UPDATE wallets SET deleted_at = NULL WHERE id = '${id}';
          INSERT INTO credentials SELECT * FROM kept`);
        const again = hide(204);
        again.catch(() => undefined);
        await eventually('whoever hides it waits for whoever brings it back', async () => {
          const waiting = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
          return (await rowsOf(test, waiting, [rows[0]!.pid])).length > 0 || null;
        });
        await other.query('COMMIT');
        return again;
      });
      expect(hidden.status).toBe(204);
      const { verifiedCredentials } = await read(userId);
      expect(verifiedCredentials.filter((one) => one['embedded_wallet_id'] === id)).toEqual([]);
    });

    it(`hides, brings back and is deleted by ${CALLERS} at once: each step once`, async () => {
      const { signedIn, wallets } = await someone();
      const { jwt: token, userId } = signedIn;
      const { id } = wallets[0]!;
      const many = (work: () => Promise<{ status: number }>) =>
        Promise.all(Array.from({ length: CALLERS }, async () => (await work()).status));
      const hide = () => world.anonymous.delete(own(`${id}/softDelete`), { token });
      const restore = () => world.anonymous.put(own(`${id}/restore`), undefined, { token });
      const names = async () => (await eventsOf(test, world.environmentId, id)).map(({ name }) => name);

      expect((await many(hide)).filter((status) => status === 204)).toHaveLength(1);
      expect(new Set(await many(restore))).toEqual(new Set([204]));
      expect(await names()).toEqual(['wallet.created', 'wallet.deleted', 'wallet.restored']);

      const mixed = await Promise.all([
        many(hide),
        many(restore),
        many(() => world.api.delete(world.path(`/wallets/${id}`))),
      ]);
      expect(new Set(mixed.flat())).toEqual(new Set([204, 404]));
      const left = await rowsOf<{ hidden: boolean }>(
        test,
        'SELECT deleted_at IS NOT NULL AS hidden FROM wallets WHERE environment_id = $1 AND id = $2',
        [world.environmentId, id],
      );
      const isShown = left[0]?.hidden === false;
      const told = (await names()).slice(1);
      const times = (name: string) => told.filter((one) => one === name).length;
      // Hidden and brought back in turn; hidden or deleted once more unless it is there.
      expect(times('wallet.deleted') - times('wallet.restored')).toBe(isShown ? 0 : 1);
      const { verifiedCredentials } = await read(userId);
      const credentials = verifiedCredentials.filter((one) => one['embedded_wallet_id'] === id);
      expect(credentials).toHaveLength(isShown ? 1 : 0);
    });
  });
});
