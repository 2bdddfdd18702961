import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { withClient } from '../support/postgres.js';
import { World, newEmail } from '../support/world.js';

type Json = Record<string, unknown>;
interface Page {
  count: number;
  users: (Json & { id: string })[];
}

type Query = Record<string, string | number | boolean>;

const textOf = (query: Query): string =>
  new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])).toString();

const wallet = (publicWalletAddress: string, chain = 'EVM') => ({
  publicWalletAddress,
  chain,
  walletName: 'metamask',
  walletProvider: 'browserExtension',
});

const ada = {
  email: 'Ada.Lovelace@example.com',
  alias: 'Countess',
  firstName: 'Augusta',
  lastName: 'Lovelace',
  jobTitle: 'Analyst',
  phoneNumber: '+41446681800',
  username: 'enchantress',
  wallets: [wallet('0x52908400098527886E0F7030069857D2E4169EE7')],
  oauthAccounts: [{ provider: 'github', accountId: '1815' }],
};
const grace = {
  email: 'grace@navy.example.com',
  alias: 'Amazing',
  firstName: 'Grace',
  lastName: 'Hopper',
  jobTitle: 'Admiral',
  phoneNumber: '+12025550123',
  username: 'cobol-grace',
  wallets: [wallet('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk', 'SOL')],
  oauthAccounts: [{ provider: 'google', accountId: '1906' }],
};

describe('the list of users', () => {
  let test: TestApp;
  let world: World;
  const ids: Record<string, string> = {};

  const list = async (query: Query = {}, owner = world) => {
    return (await owner.api.get<Page>(owner.path(`/users?${textOf(query)}`), { expect: 200 })).body;
  };
  const refused = async (query: Query) => {
    return (await world.api.get<Json>(world.path(`/users?${textOf(query)}`), { expect: 400 })).body;
  };
  const search = (filterValue: string, filterColumn?: string) =>
    list({ 'filter[filterValue]': filterValue, ...(filterColumn && { 'filter[filterColumn]': filterColumn }) });
  const add = async (body: Json, owner = world) =>
    (await owner.api.post<{ user: { id: string } }>(owner.path('/users'), body, { expect: 201 })).body.user.id;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    ids['ada'] = await add(ada);
    ids['grace'] = await add(grace);
    ids['percent'] = await add({ alias: '100% sure', firstName: 'snake_case_name', jobTitle: 'back\\slash\\ed' });
    ids['nobody'] = await add({});
  });
  afterAll(() => test.close());

  describe('searched', () => {
    it.each([
      ['email', 'LOVELACE@exam', 'ada'],
      ['alias', 'ountes', 'ada'],
      ['firstName', 'gust', 'ada'],
      ['lastName', 'hopper', 'grace'],
      ['phoneNumber', '4466818', 'ada'],
      ['jobTitle', 'admir', 'grace'],
      ['username', 'cobol-', 'grace'],
      ['walletPublicKey', ada.wallets[0]!.publicWalletAddress.toLowerCase(), 'ada'],
      ['wallet', grace.wallets[0]!.publicWalletAddress, 'grace'],
      ['accountId', '1906', 'grace'],
      ['all', 'enchant', 'ada'],
      ['all', ada.wallets[0]!.publicWalletAddress, 'ada'],
    ])('by %s finds %j', async (column, value, who) => {
      const page = await search(value, column);
      expect(page).toMatchObject({ count: 1, users: [{ id: ids[who] }] });
      expect((await search(`${value}0x`, column)).users).toEqual([]);
    });

    it('by id, whole and in any case', async () => {
      const id = ids['ada']!;
      for (const column of ['id', 'all']) {
        expect((await search(id.toUpperCase(), column)).users.map((user) => user.id)).toEqual([id]);
      }
      expect(await search(id.slice(0, 18), 'id')).toEqual({ count: 0, users: [] });
      expect(await search(randomUUID(), 'id')).toEqual({ count: 0, users: [] });
    });

    it('in one column does not find what another has', async () => {
      expect((await search('Lovelace', 'lastName')).count).toBe(1);
      expect((await search('Lovelace', 'firstName')).count).toBe(0);
      expect((await search('Lovelace', 'all')).count).toBe(1);
    });

    it('takes the wildcards of SQL literally', async () => {
      const [percent] = [ids['percent']];
      expect((await search('100% s')).users.map(({ id }) => id)).toEqual([percent]);
      expect((await search('e_case_n', 'firstName')).users.map(({ id }) => id)).toEqual([percent]);
      expect((await search('back\\slash\\', 'jobTitle')).users.map(({ id }) => id)).toEqual([percent]);
      for (const value of ['%%%', '___', 'Lo%ce', 'Love_ace', '\\\\\\', "'; --"])
        expect((await search(value)).count).toBe(0);
    });

    it('wants three characters, of a text', async () => {
      for (const value of ['ab', '%', 'é1']) {
        expect(await refused({ 'filter[filterValue]': value })).toMatchObject({ code: 'validation_failed' });
      }
      expect((await search('  ')).count).toBe((await list()).count);
      expect((await search('1', 'accountId')).count).toBe(0);
    });

    it('by provider and chain, alone and together with a text', async () => {
      const by = async (filter: Query) =>
        (await list(Object.fromEntries(Object.entries(filter).map(([key, value]) => [`filter[${key}]`, value])))).users;
      expect(await by({ filterSocialProvider: 'github' })).toMatchObject([{ id: ids['ada'] }]);
      expect(await by({ chain: 'SOL' })).toMatchObject([{ id: ids['grace'] }]);
      for (const chain of ['EVM', 'ETH']) expect(await by({ chain })).toMatchObject([{ id: ids['ada'] }]);
      expect(await by({ chain: 'SOL', filterSocialProvider: 'google' })).toMatchObject([{ id: ids['grace'] }]);
      expect(await by({ chain: 'SOL', filterValue: 'Lovelace' })).toEqual([]);
      expect(await by({ filterColumn: 'accountId', filterValue: '1906', filterSocialProvider: 'github' })).toEqual([]);
    });

    it('refuses columns, providers and chains that do not exist', async () => {
      for (const name of ['filterColumn', 'filterSocialProvider', 'chain', 'unknown']) {
        expect(await refused({ [`filter[${name}]`]: 'password' })).toMatchObject({ code: 'validation_failed' });
      }
    });

    it('never reaches another environment', async () => {
      const other = await World.create(test);
      await add({ ...ada }, other);
      expect((await search('Lovelace')).users.map(({ id }) => id)).toEqual([ids['ada']]);
      expect(await list({ 'filter[filterValue]': ids['ada']!, 'filter[filterColumn]': 'id' }, other)).toEqual({
        count: 0,
        users: [],
      });
    });
  });

  describe('in pages', () => {
    it('of 1 to 100 from an offset of 0 on, 20 by default', async () => {
      const own = await World.create(test);
      const made: string[] = [];
      for (let at = 0; at < 25; at++) made.push(await add({ alias: `user ${at}` }, own));
      const newest = made.toReversed();
      const idsOf = async (query: Record<string, number>) => (await list(query, own)).users.map(({ id }) => id);
      expect(await idsOf({})).toEqual(newest.slice(0, 20));
      expect(await idsOf({ limit: 100 })).toEqual(newest);
      expect(await idsOf({ limit: 1 })).toEqual(newest.slice(0, 1));
      expect(await idsOf({ limit: 10, offset: 20 })).toEqual(newest.slice(20));
      expect(await list({ offset: 25 }, own)).toEqual({ count: 25, users: [] });
      expect(await list({ offset: 1_000_000 }, own)).toEqual({ count: 25, users: [] });
    });

    it.each<[string, Query]>([
      ['limit', { limit: 0 }],
      ['limit', { limit: 101 }],
      ['limit', { limit: 1.5 }],
      ['limit', { limit: 'ten' }],
      ['offset', { offset: -1 }],
      ['offset', { offset: 'a' }],
      ['orderBy', { orderBy: 'createdAt' }],
      ['orderBy', { orderBy: 'createdAt-up' }],
      ['orderBy', { orderBy: 'password-asc' }],
      ['orderBy', { orderBy: 'email-asc; DROP TABLE users' }],
    ])('refuses %s in %j', async (field, query) => {
      const body = await refused(query);
      const { fields } = body['payload'] as { fields: { field: string }[] };
      expect(body['code']).toBe('validation_failed');
      expect(new Set(fields.map((one) => one.field))).toEqual(new Set([field]));
    });

    it.each([
      'createdAt',
      'updatedAt',
      'firstVisit',
      'lastVisit',
      'email',
      'alias',
      'firstName',
      'lastName',
      'username',
    ])('ordered by %s, up and down, those without a value last', async (column) => {
      const lower = (value: unknown) => (value === undefined ? null : String(value).toLowerCase());
      for (const direction of ['asc', 'desc']) {
        const { users, count } = await list({ orderBy: `${column}-${direction}` });
        const values = users.map((user) => lower(user[column]));
        const known = values.filter((value) => value !== null);
        const sorted = known.toSorted();
        expect(users).toHaveLength(count);
        expect(values.slice(0, known.length)).toEqual(direction === 'asc' ? sorted : sorted.toReversed());
      }
    });

    it('with sessions when they are asked for', async () => {
      const { userId, sessionId } = await world.signIn(newEmail());
      const [plain, withSessions] = [await list({ limit: 1 }), await list({ limit: 1, includeSessions: true })];
      expect(plain.users[0]).toMatchObject({ id: userId });
      expect(plain.users[0]).not.toHaveProperty('sessions');
      expect(withSessions.users[0]).toMatchObject({ id: userId, sessions: [{ id: sessionId }] });
    });
  });

  it('counts exactly, also after many were created and deleted at once', async () => {
    const own = await World.create(test);
    const first = await Promise.all(Array.from({ length: 30 }, () => add({}, own)));
    await Promise.all([
      ...first.slice(0, 20).map((id) => own.api.delete(own.path(`/users/${id}`), { expect: 204 })),
      ...Array.from({ length: 30 }, () => add({ email: newEmail() }, own)),
    ]);
    const real = await withClient(test.databaseUrl, (client) =>
      client.query<{ n: number }>('SELECT count(*)::int AS n FROM users WHERE environment_id = $1', [
        own.environmentId,
      ]),
    );
    expect(real.rows[0]!.n).toBe(40);
    const pages: Query[] = [{}, { orderBy: 'email-asc' }, { 'filter[filterValue]': 'example.com' }];
    expect(await Promise.all(pages.map(async (query) => (await list(query, own)).count))).toEqual([40, 40, 30]);
  });
});
