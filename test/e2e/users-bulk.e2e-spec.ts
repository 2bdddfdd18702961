import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { listEvents } from '../support/events.js';
import { World, newEmail } from '../support/world.js';

type Json = Record<string, unknown>;
interface Outcome {
  created: (Json & { id: string })[];
  updated: (Json & { id: string })[];
  failed: { user: Json; error: string; code?: string }[];
  total: number;
}

const account = (accountId: string) => ({ provider: 'github', accountId });

describe('users in bulk', () => {
  let test: TestApp;
  let world: World;
  const bulk = async (items: unknown, query = '', status = 201) =>
    (await world.api.post<Outcome & Json>(world.path(`/users/bulk${query}`), items, { expect: status })).body;
  const count = async () => (await world.api.get<{ count: number }>(world.path('/users?limit=1'))).body.count;
  const read = async (id: string) => (await world.api.get<{ user: Json }>(world.path(`/users/${id}`))).body.user;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  it.each([1, 50])('are created, %d at once, in the order of the request', async (size) => {
    const before = await count();
    const items = Array.from({ length: size }, (_, at) => ({ email: newEmail(), alias: `item ${at}` }));
    const outcome = await bulk(items);
    expect(outcome).toMatchObject({ total: size, updated: [], failed: [] });
    expect(outcome.created.map(({ email, alias }) => ({ email, alias }))).toEqual(items);
    expect(await count()).toBe(before + size);
    const told = (await listEvents(world, 'user.created')).slice(0, size).map(({ data }) => data['id']);
    expect(told.reverse()).toEqual(outcome.created.map(({ id }) => id));
  });

  it.each([
    ['51', Array.from({ length: 51 }, () => ({}))],
    ['no', []],
    ['not a list of', { alias: 'one' }],
  ])('are refused as a whole with %s items', async (_, items) => {
    const before = await count();
    expect(await bulk(items, '', 400)).toMatchObject({ code: 'validation_failed' });
    expect(await count()).toBe(before);
  });

  it('are refused as a whole when an item is malformed, which is named', async () => {
    const before = await count();
    const body = await bulk([{ alias: 'fine' }, { alias: 7 }], '', 400);
    const { fields } = body['payload'] as { fields: { field: string }[] };
    expect(new Set(fields.map(({ field }) => field))).toEqual(new Set(['1.alias']));
    expect(await bulk([{ id: '018f0000-0000-7000-8000-000000000001' }], '', 400)).toMatchObject({
      code: 'validation_failed',
    });
    expect(await count()).toBe(before);
  });

  it('fail one by one: the others are created', async () => {
    const tooMuch = { metadata: { text: 'x'.repeat(16_384) } };
    const outcome = await bulk([{ alias: 'first' }, { ...tooMuch, alias: 'second' }, { alias: 'third' }]);
    expect(outcome.total).toBe(3);
    expect(outcome.created.map(({ alias }) => alias)).toEqual(['first', 'third']);
    expect(outcome.failed).toEqual([
      {
        user: expect.objectContaining({ alias: 'second', projectEnvironmentId: world.environmentId }),
        error: expect.any(String),
        code: 'metadata_size_exceeded',
      },
    ]);
  });

  it('that exist are left alone without upsert: a second user has the email then', async () => {
    const email = newEmail();
    const [first] = (await bulk([{ email, alias: 'first' }])).created;
    const outcome = await bulk([{ email, alias: 'second' }], '?upsert=false');
    expect(outcome).toMatchObject({ created: [{ alias: 'second' }], updated: [] });
    expect(await read(first!.id)).toMatchObject({ alias: 'first' });
  });

  it('that exist are updated with upsert, by email whatever its case, or by social account', async () => {
    const email = newEmail();
    const made = await bulk([
      { email, alias: 'old', team: 'kept' },
      { oauthAccounts: [account('77')], alias: 'old' },
    ]);
    const [byEmail, byAccount] = made.created;
    const outcome = await bulk(
      [
        { email: email.toUpperCase(), alias: 'new' },
        { oauthAccounts: [account('77')], alias: 'newer' },
        { email: newEmail(), alias: 'other' },
      ],
      '?upsert=true',
    );
    expect(outcome).toMatchObject({
      total: 3,
      updated: [
        { id: byEmail!.id, email, alias: 'new', team: 'kept' },
        { id: byAccount!.id, alias: 'newer' },
      ],
      created: [{ alias: 'other' }],
      failed: [],
    });
    expect(await read(byEmail!.id)).toMatchObject({ alias: 'new', email });
    const told = (await listEvents(world, 'user.updated')).slice(0, 2).map(({ data }) => data['id']);
    expect(told).toEqual([byAccount!.id, byEmail!.id]);
  });

  it('that exist keep their wallets, accounts and proofs, of which an upsert says nothing', async () => {
    const email = newEmail();
    await bulk([{ email, alias: 'first' }]);
    const wallet = { publicWalletAddress: `0x${'1'.repeat(40)}`, chain: 'EVM', walletName: 'Any' };
    const said = {
      emailVerifiedAt: '2026-01-01T00:00:00.000Z',
      wallets: [{ ...wallet, walletProvider: 'browserExtension' }],
      oauthAccounts: [account(randomUUID())],
    };
    const { updated } = await bulk([{ email, alias: 'second', ...said }], '?upsert=true');
    expect(updated).toEqual([expect.objectContaining({ alias: 'second', wallets: [], oauthAccounts: [] })]);
    expect(updated[0]!.verifiedCredentials).toEqual([expect.objectContaining({ email, signInEnabled: false })]);
  });

  it('with one email twice in an upsert are one user', async () => {
    const email = newEmail();
    const outcome = await bulk(
      [
        { email, alias: 'one' },
        { email, alias: 'two' },
      ],
      '?upsert=true',
    );
    expect(outcome.created).toHaveLength(1);
    expect(outcome.updated).toMatchObject([{ id: outcome.created[0]!.id, alias: 'two' }]);
  });

  it('with one email in twenty upserts at once are one user, who can sign in', async () => {
    for (let round = 0; round < 10; round += 1) {
      const email = newEmail();
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, at) => bulk([{ email, alias: `caller ${at}` }], '?upsert=true')),
      );
      expect(all.flatMap(({ failed }) => failed)).toEqual([]);
      const [made, ...more] = all.flatMap(({ created }) => created);
      expect(more).toEqual([]);
      expect(all.flatMap(({ updated }) => updated).map(({ id }) => id)).toEqual(Array<string>(19).fill(made!.id));
      if (round === 0) expect((await world.signIn(email)).userId).toBe(made!.id);
    }
  });

  it('are all updated or created by upserts with keys that have them in another order', async () => {
    const users = [{ email: newEmail() }, { email: newEmail() }, { email: newEmail() }];
    const all = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const items = at % 2 ? users : users.toReversed();
        const headers = { 'idempotency-key': randomUUID() };
        const path = world.path('/users/bulk?upsert=true');
        return (await world.api.post<Outcome>(path, items, { headers, expect: 201 })).body;
      }),
    );
    expect(all.map(({ failed }) => failed)).toEqual(Array<object>(6).fill([]));
    expect(all.flatMap(({ created }) => created)).toHaveLength(3);
    expect(all.flatMap(({ updated }) => updated)).toHaveLength(15);
  });

  it('are never guessed between when two of them have the email', async () => {
    const email = newEmail();
    await bulk([{ email }, { email }]);
    const outcome = await bulk([{ email, alias: 'x' }, { alias: 'y' }], '?upsert=true');
    expect(outcome.created).toMatchObject([{ alias: 'y' }]);
    expect(outcome.failed).toMatchObject([{ user: { email, alias: 'x' }, error: expect.any(String) }]);
  });

  it('take 1 MB in all, and 100 KB each', async () => {
    const item = (kilobytes: number) => ({ metadata: { text: 'x'.repeat(kilobytes * 1024) } });
    const outcome = await bulk([item(15), item(99), item(101)]);
    expect(outcome.created).toHaveLength(1);
    expect(outcome.failed.map(({ code }) => code)).toEqual(['metadata_size_exceeded', undefined]);
    const before = await count();
    expect(
      await bulk(
        Array.from({ length: 12 }, () => item(90)),
        '',
        413,
      ),
    ).toMatchObject({ code: 'payload_too_large' });
    expect(await count()).toBe(before);
  });
});
