import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { usersDuplicates, usersMerge, usersUnmerge } from '../../src/cli/users.commands.js';
import { MergedTables, type MergedTable } from '../../src/database/index.js';
import { DuplicateMerges, Unmerges } from '../../src/identity/index.js';
import { Accounts, codeOf } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { PlantedRows } from '../support/planted-rows.js';
import { mergedTable } from '../support/readme/linking-page.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { addDevice, allowSecondFactors, roomInStep } from '../support/second-factor.js';
import { tablesOf, type Table } from '../support/tables.js';
import { World, newEmail } from '../support/world.js';

let test: TestApp;
let world: World;
let accounts: Accounts;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  accounts = new Accounts(world);
});
afterAll(() => test.close());

/** What a command of operators prints. */
async function printed(command: typeof usersMerge, ...words: string[]): Promise<string[]> {
  const lines: string[] = [];
  const print = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    await command(test.app, ['--environment', world.environmentId, ...words]);
  } finally {
    print.mockRestore();
  }
  return lines;
}

/** Tables that refer to users of which nobody has said what a merge does with them. */
function unsaid(tables: readonly Table[], said: readonly MergedTable[]): string[] {
  const known = new Set(said.map(({ table }) => table));
  return tables
    .filter(({ name, references }) => references.some(({ to }) => to === 'users') && !known.has(name))
    .map(({ name }) => name);
}

/** What is said to be of a user by another column than the one that leads there. */
const misled = (tables: readonly Table[], said: readonly MergedTable[]): string[] =>
  said
    .filter(({ table, subject }) => {
      const references = tables.find(({ name }) => name === table)?.references ?? [];
      const ways = references.filter(({ to }) => to === 'users').map(({ from }) => from.at(-1));
      return ways.length > 0 && !ways.includes(subject);
    })
    .map(({ table, subject }) => `${table}.${subject}`);

describe('what a merge does with what leads to users', () => {
  const said = () => test.app.get(MergedTables).all;
  /** What a table holds of a user, as JSON in one order. */
  const held = async (table: string, userId: string): Promise<object[]> => {
    const rows = await rowsOf<{ row: object }>(
      test,
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE environment_id = $1 AND user_id = $2 ORDER BY to_jsonb(t)::text`,
      [world.environmentId, userId],
    );
    return rows.map(({ row }) => row);
  };
  const idsOf = (rows: readonly object[]): string[] => rows.map((row) => String((row as { id: string }).id));

  it('is declared for every table and documented; an undeclared table is found', async () => {
    const tables = await tablesOf(test.databaseUrl);
    expect(unsaid(tables, said())).toEqual([]);
    const names = new Set(tables.map(({ name }) => name));
    expect(said().filter(({ table }) => !names.has(table))).toEqual([]);
    expect(readFileSync('docs/linking.md', 'utf8')).toContain(mergedTable(said()));
    expect(misled(tables, said())).toEqual([]);
    expect(misled(tables, [{ ...said()[0]!, table: 'sessions', subject: 'id' }])).toEqual(['sessions.id']);
    const forgotten = said().filter(({ table }) => table !== 'ramp_orders');
    expect(unsaid(tables, forgotten)).toEqual(['ramp_orders']);
    expect(() => test.app.get(MergedTables).register([said()[0]!])).toThrow('is said twice');
  });

  it('happens: orders, payouts and screenings move, the rest is deleted, and an undo restores what it declares', async () => {
    const { ada, eve } = await accounts.offered();
    const planted = await PlantedRows.of(test, { ...eve, environmentId: world.environmentId, mark: 'planted' });
    const tables = said().filter(({ fate }) => fate !== 'settled' && fate !== 'refused');
    for (const { table } of tables) {
      if ((await held(table, eve.userId)).length === 0) await planted.plant(table);
    }
    // Of what was found out about an address that both have, that of the one who remains stays.
    await planted.plant('screening_checks', { address: 'both' });
    const own = await planted.plant('screening_checks', { address: 'both', user_id: ada.userId });
    const before = new Map<string, object[]>();
    for (const { table } of tables) before.set(table, await held(table, eve.userId));
    expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([]);

    expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
    for (const { table, fate } of tables) {
      expect([table, await held(table, eve.userId)]).toEqual([table, []]);
      if (fate !== 'moved' || table === 'screening_checks') continue;
      const moved = idsOf(await held(table, ada.userId));
      expect([table, moved]).toEqual([table, expect.arrayContaining(idsOf(before.get(table)!))]);
    }
    const checks = await held('screening_checks', ada.userId);
    expect(checks).toHaveLength(2);
    expect(idsOf(checks)).toContain(own['id']);

    const told = await printed(usersUnmerge, '--user', ada.userId);
    expect(told[0]).toContain(`${eve.userId} is restored, separate from ${ada.userId}`);
    const lost = told.filter((line) => line.startsWith('not back')).map((line) => line.replace(/^not back\s+/, ''));
    const ended = tables.filter(({ fate }) => fate === 'ended').map(({ what }) => what);
    expect(lost).toEqual(expect.arrayContaining([...ended, 'what was unlinked, moved or erased since the merge']));
    for (const { table, fate } of tables) {
      const expected = fate === 'ended' ? [] : before.get(table);
      expect([table, await held(table, eve.userId)]).toEqual([table, expected]);
    }
    expect(idsOf(await held('screening_checks', ada.userId))).toEqual([own['id']]);
  });

  it('does not happen if a key would be lost', async () => {
    for (const table of ['key_share_sets', 'key_share_backups', 'wallet_secrets']) {
      const { ada, eve } = await accounts.offered();
      const planted = await PlantedRows.of(test, { ...eve, environmentId: world.environmentId, mark: 'planted' });
      await planted.plant(table);
      expect([table, codeOf(await accounts.post('/users/merge', ada.jwt))]).toEqual([table, 'merge_accounts_invalid']);
      expect(await held(table, eve.userId)).toHaveLength(1);
    }
  });

  it('does not happen if the key of a wallet that the team has deleted would be lost', async () => {
    const { ada, eve } = await accounts.offered();
    const request = { identifier: eve.userId, type: 'id', chains: ['EVM'] };
    const make = async () =>
      (
        await world.api.post<{ user: { wallets: { id: string; publicKey: string }[] } }>(
          world.path('/embeddedWallets'),
          request,
        )
      ).body.user.wallets[0]!;
    const { id, publicKey } = await make();
    await world.api.delete(world.path(`/wallets/${id}`), { expect: 204 });
    expect(codeOf(await accounts.post('/users/merge', ada.jwt))).toBe('merge_accounts_invalid');
    expect((await make()).publicKey).toBe(publicKey);
  });

  it('does not happen if an undo would restore less than was deleted', async () => {
    const { ada, eve } = await accounts.offered();
    const count = 'SELECT count(*)::int AS count FROM device_registrations WHERE environment_id = $1 AND user_id = $2';
    const devicesOf = async (userId: string) =>
      (await rowsOf<{ count: number }>(test, count, [world.environmentId, userId]))[0]!.count;
    await rowsOf(
      test,
      `INSERT INTO device_registrations (environment_id, id, user_id, device_hash, user_agent)
       SELECT $1, gen_random_uuid(), $2, sha256(n::text::bytea), 'one of many' FROM generate_series(1, 1001) n`,
      [world.environmentId, eve.userId],
    );
    expect(codeOf(await accounts.post('/users/merge', ada.jwt))).toBe('merge_accounts_invalid');
    expect(await devicesOf(eve.userId)).toBe(1_001);

    await rowsOf(
      test,
      `DELETE FROM device_registrations WHERE environment_id = $1 AND user_id = $2 AND device_hash = sha256('1001'::bytea)`,
      [world.environmentId, eve.userId],
    );
    const offered = await accounts.verifyEmail(ada.jwt, eve.email);
    expect(codeOf(offered)).toBe('merge_accounts_confirmation');
    expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
    await test.app.get(Unmerges, { strict: false }).undo(world.environmentId, ada.userId);
    expect(await devicesOf(eve.userId)).toBe(1_000);
  });

  it('keeps the previous merge: each is undone in turn, and an erasure deletes all of them', async () => {
    const { ada, eve } = await accounts.offered();
    const carl = await world.signIn(newEmail());
    expect(codeOf(await accounts.verifyEmail(eve.jwt, carl.email))).toBe('merge_accounts_confirmation');
    const joined = await accounts.post('/users/merge', eve.jwt);
    expect(joined.status).toBe(200);
    expect(codeOf(await accounts.verifyEmail(ada.jwt, carl.email))).toBe('merge_accounts_confirmation');
    expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
    const unmerges = test.app.get(Unmerges, { strict: false });
    expect(await unmerges.undo(world.environmentId, ada.userId)).toMatchObject({ fromUserId: eve.userId });
    expect(await unmerges.undo(world.environmentId, eve.userId)).toMatchObject({ fromUserId: carl.userId });
    for (const one of [ada, eve, carl]) expect((await world.signIn(one.email)).userId).toBe(one.userId);

    const again = await world.signIn(eve.email);
    expect(codeOf(await accounts.verifyEmail(again.jwt, carl.email))).toBe('merge_accounts_confirmation');
    expect((await accounts.post('/users/merge', again.jwt)).status).toBe(200);
    const last = await world.signIn(ada.email);
    expect(codeOf(await accounts.verifyEmail(last.jwt, carl.email))).toBe('merge_accounts_confirmation');
    const merged = await accounts.post('/users/merge', last.jwt);
    expect(merged.status).toBe(200);
    await world.anonymous.delete(world.sdk('/users'), { token: merged.body.jwt, expect: 204 });
    const erased = await rowsOf<{ ids: string[] }>(
      test,
      'SELECT user_ids AS ids FROM erasures WHERE environment_id = $1 AND $2 = ANY (user_ids)',
      [world.environmentId, ada.userId],
    );
    expect(erased.map(({ ids }) => ids.toSorted())).toEqual([[ada.userId, eve.userId, carl.userId].toSorted()]);
  });

  it('is deleted with an erased user who was restored, and leaves the other one alone', async () => {
    const { ada, eve } = await accounts.offered({ eve: { firstName: 'Eve' } });
    expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
    await test.app.get(Unmerges).undo(world.environmentId, ada.userId);
    const { jwt } = await world.signIn(eve.email);
    await world.anonymous.delete(world.sdk('/users'), { token: jwt, expect: 204 });
    expect(await rowsOf(test, 'SELECT 1 FROM user_merges WHERE from_user_id = $1', [eve.userId])).toEqual([]);

    const two = await accounts.offered();
    expect((await accounts.post('/users/merge', two.ada.jwt)).status).toBe(200);
    await test.app.get(Unmerges).undo(world.environmentId, two.ada.userId);
    const left = await world.signIn(two.ada.email);
    await world.anonymous.delete(world.sdk('/users'), { token: left.jwt, expect: 204 });
    const erased = await rowsOf<{ ids: string[] }>(
      test,
      'SELECT user_ids AS ids FROM erasures WHERE environment_id = $1 AND $2 = ANY (user_ids)',
      [world.environmentId, two.ada.userId],
    );
    expect(erased).toEqual([{ ids: [two.ada.userId] }]);
    expect((await world.signIn(two.eve.email)).userId).toBe(two.eve.userId);
  });
});

describe('two users whom API calls gave the same address', () => {
  /** The first one is the older. */
  async function sharing(...fields: object[]): Promise<{ email: string; ids: [string, string] }> {
    const email = newEmail();
    const ids: string[] = [];
    for (const [at, spelling] of [email, email.toUpperCase()].entries()) {
      const body = { email: spelling, ...fields[at] };
      const made = await world.api.post<{ user: { id: string } }>(world.path('/users'), body, { expect: 201 });
      ids.push(made.body.user.id);
    }
    return { email, ids: [ids[0]!, ids[1]!] };
  }
  const shared = async (): Promise<string[]> =>
    (await test.app.get(DuplicateMerges).list(world.environmentId)).map(({ identifier }) => identifier);

  it('are merged by an operator after a preview; then the address signs its owner in', async () => {
    const { email, ids } = await sharing(
      { alias: 'One\nconflict  team  A | B' },
      { alias: 'Two', lastName: 'Lovelace' },
    );
    expect(await printed(usersDuplicates)).toContainEqual(expect.stringContaining(`${email}  `));
    const code = await world.sendCode(email);
    const refused = await world.anonymous.post<{ code?: string; error?: unknown }>(
      world.sdk('/emailVerifications/signin'),
      { verificationUUID: code, verificationToken: world.code(email) },
    );
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('ambiguous')]);

    const words = ['--user', ids[0], '--from', ids[1]];
    const seen = await printed(usersMerge, ...words);
    expect(seen).toEqual([
      `shared    email  ${email}`,
      ...ids.map((id) => `proven    ${id}  nothing`),
      'conflict  alias  "One\\nconflict  team  A | B" | "Two"',
      expect.stringContaining('Nothing was changed.'),
    ]);
    expect(await shared()).toContain(email);
    await expect(printed(usersMerge, ...words, '--confirm')).rejects.toThrow('--keep');
    const done = await printed(usersMerge, ...words, '--keep', ids[1], '--confirm');
    expect(done).toContainEqual(`merged    ${ids[1]} into ${ids[0]}`);
    expect(await accounts.user(ids[0])).toMatchObject({ alias: 'Two', lastName: 'Lovelace' });
    expect(await shared()).not.toContain(email);
    expect((await world.signIn(email)).userId).toBe(ids[0]);
    const told = (await eventsOf(test, world.environmentId, ids[0])).filter(({ name }) => name === 'user.merged');
    expect(told).toEqual([
      expect.objectContaining({ userId: null, data: expect.objectContaining({ fromUserId: ids[1] }) }),
    ]);

    await printed(usersUnmerge, '--user', ids[0]);
    expect((await accounts.user(ids[1]))['alias']).toBe('Two');
    expect((await world.signIn(email)).userId).toBe(ids[0]);
    const by = await rowsOf(
      test,
      `SELECT name, user_id, actor FROM events WHERE environment_id = $1 AND resource_id = $2 AND name LIKE 'user.%merged' ORDER BY id`,
      [world.environmentId, ids[0]],
    );
    expect(by).toEqual(
      ['user.merged', 'user.unmerged'].map((name) => ({ name, user_id: null, actor: { kind: 'service' } })),
    );
  });

  it('are merged once, with concurrent requests in both directions', async () => {
    const merges = test.app.get(DuplicateMerges);
    const { ids } = await sharing();
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) => {
        const pair = { userId: ids[at % 2]!, fromUserId: ids[(at + 1) % 2]! };
        return merges.merge(world.environmentId, pair, null);
      }),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = tries.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code?: string }).code] : []));
    expect(codes.every((code) => code === 'merge_accounts_invalid' || code === 'not_found')).toBe(true);
    expect(await rowsOf(test, 'SELECT 1 FROM users WHERE id = ANY ($1::uuid[])', [ids])).toHaveLength(1);
  });

  it('end the sessions and notify the owner if one of them is in use', async () => {
    const { email, ids } = await sharing();
    const own = await world.signIn(newEmail());
    const proven = await accounts.verifyEmail(own.jwt, email);
    expect(proven.status).toBe(200);
    expect(await shared()).toContain(email);
    const merged = await printed(usersMerge, '--user', own.userId, '--from', ids[0], '--confirm');
    const lines = merged.filter((line) => line.startsWith('proven')).map((line) => line.split(/\s{2,}/).slice(1));
    const when = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(
      expect.arrayContaining([
        [own.userId, 'email', own.email, when],
        [own.userId, 'email', email, when],
        [ids[0], 'nothing'],
      ]),
    );
    await printed(usersMerge, '--user', own.userId, '--from', ids[1], '--confirm');
    expect(await shared()).not.toContain(email);
    expect(await accounts.isLive(proven.body.jwt)).toBe(false);
    for (const address of [own.email, email])
      expect(accounts.mailsTo(address)).toContainEqual(expect.stringContaining('accounts were merged'));
    expect((await world.signIn(email)).userId).toBe(own.userId);
  });

  it('are the only ones: others share nothing, and a protected user is not merged', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const merge = (...words: string[]) => printed(usersMerge, ...words, '--confirm');
    await expect(merge('--user', ada.userId, '--from', eve.userId)).rejects.toThrow('no identifier in common');
    await expect(merge('--user', ada.userId, '--from', ada.userId)).rejects.toThrow('two different users');
    await expect(merge('--user', ada.userId, '--from', crypto.randomUUID())).rejects.toThrow();
    await expect(merge('--user', 'ada', '--from', eve.userId)).rejects.toThrow('--user must be');
    await expect(merge('--user', ada.userId, '--from', eve.userId, '--keep', crypto.randomUUID())).rejects.toThrow(
      '--keep',
    );

    await allowSecondFactors(world);
    await roomInStep();
    const guarded = await world.signIn(newEmail());
    await addDevice(world, guarded.jwt);
    const other = await world.api.post<{ user: { id: string } }>(
      world.path('/users'),
      { email: guarded.email.toUpperCase() },
      { expect: 201 },
    );
    const { id } = other.body.user;
    await expect(merge('--user', id, '--from', guarded.userId)).rejects.toThrow('second factor');
    await merge('--user', guarded.userId, '--from', id);
    await world.api.put(world.path(''), { security: { mfa: { enabled: false, methods: [] } } }, { expect: 200 });
    expect((await world.signIn(guarded.email)).userId).toBe(guarded.userId);
  });
});
