import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf } from '../support/audit.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

interface Entry {
  id: string;
  [field: string]: unknown;
}
interface Entries {
  count: number;
  entries: Entry[];
}
interface Refusal {
  code: string;
  payload?: { additionalMessages?: string[] };
}

const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const MANY = 100_000;

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

async function listOf(world: World, body: object = { name: 'list' }): Promise<string> {
  const made = await world.api.post<{ id: string; enabledAt: null }>(world.path('/allowlists'), body, { expect: 201 });
  expect(made.body.enabledAt).toBeNull();
  return made.body.id;
}
const add = (world: World, id: string, entry: object, expected?: number) =>
  world.api.post<Entry & Refusal>(`/allowlists/${id}/entries`, entry, { expect: expected });
const found = async (world: World, id: string, query: string): Promise<Entries> =>
  (await world.api.get<Entries>(`/allowlists/${id}/entries?${query}`, { expect: 200 })).body;

describe('an allowlist', () => {
  it('is made, changed without being enabled, enabled, disabled and deleted with its entries', async () => {
    const world = await World.create(test);
    const id = await listOf(world, { name: 'Early', scope: 'early' });
    const path = `/allowlists/${id}`;
    const { body } = await world.api.get(path, { expect: 200 });
    const shown = { id, name: 'Early', scope: 'early', outcome: 'scope', projectEnvironmentId: world.environmentId };
    expect(body).toEqual({ ...shown, enabledAt: null });
    await world.api.put(path, { outcome: 'siteAccess' }, { expect: 200 });
    const on = await world.api.put<{ enabledAt: string }>(`${path}/enable`, undefined, { expect: 200 });
    const again = await world.api.put<{ enabledAt: string }>(`${path}/enable`, undefined, { expect: 200 });
    expect(again.body.enabledAt).toBe(on.body.enabledAt);
    const renamed = await world.api.put(path, { name: 'Late' }, { expect: 200 });
    expect(renamed.body).toEqual({ ...on.body, name: 'Late' });
    const { id: entry } = (await add(world, id, { email: newEmail() }, 201)).body;
    await world.api.put(`${path}/disable`, undefined, { expect: 200 });
    await world.api.delete(path, { expect: 204 });
    await world.api.delete(`/allowlistEntries/${entry}`, { expect: 404 });
    const rows = 'SELECT 1 FROM allowlist_entry_keys WHERE environment_id = $1';
    expect(await rowsOf(test, rows, [world.environmentId])).toEqual([]);
  });

  it('that is sent what it has is not changed: nothing is recorded and nobody is told', async () => {
    const world = await World.create(test);
    const id = await listOf(world, { name: 'Early', scope: 'early' });
    for (const same of [{}, { name: 'Early', outcome: 'scope', scope: 'early' }]) {
      const { body } = await world.api.put(`/allowlists/${id}`, same, { expect: 200 });
      expect(body).toMatchObject({ id, name: 'Early', outcome: 'scope', scope: 'early' });
    }
    expect(await auditOf(test, world.ids.organizationId, { action: 'allowlist.updated' })).toEqual([]);
    await world.api.put(`/allowlists/${id}`, { name: 'Late' }, { expect: 200 });
    const events = await eventsOf(test, world.environmentId, id);
    expect(events.map(({ name }) => name)).toEqual(['allowlist.created', 'allowlist.updated']);
  });

  it('loses its scope with the outcome `scope`, unless the request names one', async () => {
    const world = await World.create(test);
    const path = `/allowlists/${await listOf(world, { name: 'Early', scope: 'early' })}`;
    const change = async (request: object) => (await world.api.put(path, request, { expect: 200 })).body;
    expect(await change({ name: 'Late' })).toMatchObject({ outcome: 'scope', scope: 'early' });
    expect(await change({ outcome: 'siteAccess' })).toMatchObject({ outcome: 'siteAccess', scope: null });
    expect(await change({ scope: 'late' })).toMatchObject({ outcome: 'siteAccess', scope: 'late' });
    expect(await change({ outcome: 'scope' })).toMatchObject({ outcome: 'scope', scope: 'late' });
    expect(await change({ outcome: 'block', scope: 'late' })).toMatchObject({ outcome: 'block', scope: 'late' });
  });

  it('that is deleted while entries change waits for them, and they for it', async () => {
    const world = await World.create(test);
    for (let trial = 0; trial < 5; trial += 1) {
      const id = await listOf(world, { name: `list ${trial}` });
      const made = await Promise.all([1, 2, 3, 4].map((n) => add(world, id, { email: `${n}@example.com` }, 201)));
      const answers = await Promise.all([
        ...made.map(({ body }) => world.api.delete(`/allowlistEntries/${body.id}`)),
        world.api.delete(`/allowlists/${id}`),
        ...[5, 6, 7, 8].map((n) => add(world, id, { email: `${n}@example.com` })),
      ]);
      expect(answers.filter(({ status }) => ![201, 204, 404].includes(status))).toEqual([]);
      await world.api.get(`/allowlists/${id}`, { expect: 404 });
    }
  });

  it('leaves of the people who were on it a hint in the audit trail, which forgets nothing', async () => {
    const world = await World.create(test);
    const id = await listOf(world);
    const person = {
      ...{ walletPublicKey: CHECKSUMMED, email: newEmail(), phoneNumber: '+41446681800', alias: 'Ann Smith' },
      ...{ discordUsername: 'Wumpus', twitterUsername: '@jack_of', frameappFid: 90210, externalUserId: 'crm-77' },
    };
    const entry = (await add(world, id, { ...person, emailDomain: 'team.example' }, 201)).body.id;
    await world.api.delete(`/allowlistEntries/${entry}`, { expect: 204 });
    const audited = await auditOf(test, world.ids.organizationId, { resourceId: entry });
    expect(audited.map(({ action }) => action)).toEqual(['allowlist.entry.created', 'allowlist.entry.deleted']);
    const text = JSON.stringify(audited);
    expect(Object.values(person).filter((value) => text.includes(String(value)))).toEqual([]);
    for (const kept of [id, '"u…@example.com"', '"+…"', '"team.example"']) expect(text).toContain(kept);
    const told = (await eventsOf(test, world.environmentId)).filter(({ name }) => name.startsWith('allowlist.entry.'));
    expect(told.map(({ data }) => data)).toEqual(Array(2).fill(expect.objectContaining(person)));
  });

  it('with a taken name is refused, and of fifty created concurrently one succeeds', async () => {
    const world = await World.create(test);
    const make = () => world.api.post<Refusal>(world.path('/allowlists'), { name: 'one' });
    const all = await Promise.all(Array.from({ length: 50 }, make));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ body: { code } }) => code === 'allowlist_already_exists')).toHaveLength(49);
  });

  it.each([
    [{ walletPublicKey: CHECKSUMMED }, { walletPublicKey: CHECKSUMMED.toLowerCase() }],
    [{ email: 'Ann@Bücher.example' }, { email: 'ann@xn--bcher-kva.example' }],
    [{ emailDomain: 'Bücher.example' }, { emailDomain: 'xn--bcher-kva.EXAMPLE' }],
    [{ phoneNumber: '+41446681800' }, { phoneNumber: '+41446681800' }],
    [{ discordUsername: '@Ann' }, { discordUsername: 'ann' }],
    [
      { frameappFid: 7, frameappUsername: 'old' },
      { frameappFid: 7, frameappUsername: 'new' },
    ],
    [{ externalUserId: 'A' }, { externalUserId: 'A', email: 'other@example.com' }],
  ])('has one entry for %j, however it is spelt', async (entry, same) => {
    const world = await World.create(test);
    const id = await listOf(world);
    const first = await add(world, id, entry, 201);
    const second = await add(world, id, same, 422);
    expect(second.body.code).toBe('allowlist_entry_already_exists');
    await world.api.delete(`/allowlistEntries/${first.body.id}`, { expect: 204 });
    await add(world, id, same, 201);
    expect((await found(world, id, '')).count).toBe(1);
  });

  it('distinguishes similar entries that are not the same', async () => {
    const world = await World.create(test);
    const id = await listOf(world);
    const other = await listOf(world, { name: 'other' });
    const sol = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
    for (const entry of [
      { walletPublicKey: sol },
      { walletPublicKey: sol.toLowerCase() },
      { externalUserId: 'a' },
      { externalUserId: 'A' },
      { externalUserId: ' A' },
      { externalUserId: 'A ' },
      { discordUsername: 'a', alias: 'same' },
      { twitterUsername: 'a', alias: 'same' },
      { frameappUsername: 'x' },
      { frameappFid: 1, frameappUsername: 'x' },
    ]) {
      await add(world, id, entry, 201);
      await add(world, other, entry, 201);
    }
    const { count, entries } = await found(world, id, '');
    expect([count, entries.length, new Set(entries.map(({ allowListId }) => allowListId))]).toEqual([
      10,
      10,
      new Set([id]),
    ]);
    expect((await found(world, id, 'query=same')).count).toBe(2);
  });

  it.each([
    [{}, 'one field at least'],
    [{ alias: 'only' }, 'one field at least'],
    [{ email: '', phoneNumber: '' }, 'one field at least'],
    [{ walletPublicKey: `0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed` }, 'walletPublicKey: '],
    [{ emailDomain: 'no domain' }, 'emailDomain: '],
    [{ phoneNumber: '+1999' }, 'phoneNumber: '],
    [{ discordUsername: ' @ ' }, 'discordUsername: '],
    [{ externalUserId: ' ' }, 'externalUserId: '],
    [{ frameappFid: 1.5 }, 'frameappFid: '],
    [{ frameappFid: -1 }, 'frameappFid: '],
  ])('refuses the entry %j with a reason', async (entry, about) => {
    const world = await World.create(test);
    const id = await listOf(world);
    const { status, body } = await add(world, id, entry);
    expect([status, body.code]).toEqual([422, expect.stringMatching(/^(invalid_allowlist_entry|validation_failed)$/)]);
    expect(body.payload?.additionalMessages?.join()).toContain(about);
    expect(await found(world, id, '')).toEqual({ count: 0, entries: [] });
  });

  it('of a hundred equal entries at once takes one, and counts one', async () => {
    const world = await World.create(test);
    const id = await listOf(world);
    const all = await Promise.all(Array.from({ length: 100 }, () => add(world, id, { email: 'ann@example.com' })));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await found(world, id, '')).toMatchObject({ count: 1, entries: [{ email: 'ann@example.com' }] });
  });

  it('admits by a verified email and by its domain, and not by a domain with the same ending', async () => {
    const world = await World.create(test);
    const id = await listOf(world, { name: 'Team', outcome: 'siteAccess' });
    await add(world, id, { emailDomain: 'team.example' }, 201);
    await world.api.put(`/allowlists/${id}/enable`, undefined, { expect: 200 });
    expect((await world.signIn('ann@team.example')).body.user['lists']).toEqual(['Team']);
    for (const email of ['ann@evil-team.example', 'ann@sub.team.example', 'ann@team.example.evil.example']) {
      await expect(world.signIn(email)).rejects.toThrow('got 403');
    }
  });
});

describe('a search of entries', () => {
  it('finds each entry by the beginning of each field, in any spelling', async () => {
    const world = await World.create(test);
    const id = await listOf(world, { name: 'Found', outcome: 'siteAccess' });
    const entries: [object, string[]][] = [
      [{ phoneNumber: '+41446681800' }, ['+4144', '41446681800', '+41 44 668 18 00']],
      [{ discordUsername: 'Wumpus' }, ['wump', '@WUMPUS']],
      [{ twitterUsername: '@jack' }, ['jack', '@Ja']],
      [{ frameappUsername: 'Dwr.eth' }, ['dwr']],
      [{ frameappFid: 90210 }, ['902']],
      [{ externalUserId: 'Crm_77' }, ['Crm_', ' Crm_77']],
      [{ externalUserId: ' 88 crm' }, [' 88']],
      [{ email: 'b@exämple.com' }, ['B@EXÄMPLE.com', 'b@xn--exmple-cua.com']],
      [{ emailDomain: 'MÜNCHEN.example' }, ['münchen.example', '@xn--mnchen-3ya.example', '@XN--mn']],
    ];
    for (const [entry] of entries) await add(world, id, entry, 201);
    for (const [, queries] of entries)
      for (const query of queries)
        expect([query, (await found(world, id, `query=${encodeURIComponent(query)}`)).count]).toEqual([query, 1]);
    for (const nothing of ['@', '(', '+', '-'])
      expect((await found(world, id, `query=${encodeURIComponent(nothing)}`)).count).toBe(0);
  });
});

describe('an allowlist of a hundred thousand', () => {
  let world: World;
  let id: string;

  beforeAll(async () => {
    world = await World.create(test);
    id = await listOf(world, { name: 'Many', outcome: 'siteAccess' });
    const values = [world.environmentId, id, MANY];
    await fillRows(
      test,
      `WITH made AS (
         INSERT INTO allowlist_entries (environment_id, id, allowlist_id, fields)
         SELECT $1, ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2,
           jsonb_build_object('email', 'user' || n || '@example.com') FROM generate_series(1, $3::int) AS n
         RETURNING id, fields)
       INSERT INTO allowlist_entry_keys (environment_id, allowlist_id, key, entry_id)
       SELECT $1, $2, 'email:' || (fields->>'email'), id FROM made`,
      values,
    );
    await fillRows(test, 'UPDATE allowlists SET entry_count = $3 WHERE environment_id = $1 AND id = $2', values);
    await fillRows(test, 'ANALYZE allowlist_entries, allowlist_entry_keys');
    await world.api.put(`/allowlists/${id}/enable`, undefined, { expect: 200 });
  }, 120_000);

  it('is searched, paged, extended and checked without scanning it', async () => {
    const { sent } = await countStatements(async () => {
      expect(await found(world, id, 'query=USER4242@')).toMatchObject({
        count: 1,
        entries: [{ email: 'user4242@example.com' }],
      });
      expect((await found(world, id, 'query=user')).count).toBe(1000);
      expect(await found(world, id, 'offset=99990&limit=100')).toMatchObject({ count: MANY });
      await add(world, id, { email: 'new@example.com' }, 201);
      await world.signIn('user77@example.com');
      await expect(world.signIn('nobody@example.com')).rejects.toThrow('got 403');
    });
    const own = sent.filter(({ text }) => /allowlist/.test(text) && /^(SELECT|UPDATE)/.test(text));
    expect(own.length).toBeGreaterThan(5);
    for (const { text, values } of own) {
      const plan = await rowsOf<{ 'QUERY PLAN': string }>(test, `EXPLAIN ${text}`, [...values]);
      const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(lines).not.toMatch(/Seq Scan on allowlist_entr/);
    }
  });
});
