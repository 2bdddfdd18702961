import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { AccessGrantsRepository } from '../../src/access-control/decisions/access-grants.repository.js';
import { AccessSweepJob } from '../../src/access-control/decisions/access-sweep.job.js';
import { Clock } from '../../src/common/clock.js';
import { Database, UnitOfWork } from '../../src/database/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { countStatements, type SentStatement } from '../support/statements.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

/** Its own, since a sweep looks at everybody there is. */
let database: TestDatabase;
let test: TestApp;

beforeAll(async () => {
  database = await createDatabase();
  test = await startTestApp({ databaseUrl: database.url, env: { ROLE: 'api' } });
});
afterAll(async () => {
  await test.close();
  await database.drop();
});

const LIST = { name: 'Early', outcome: 'siteAccess', scope: 'early' };

/** An environment whose list is on, and somebody who is on it. */
async function listed(): Promise<{ world: World; list: string; entry: string; email: string }> {
  const world = await World.create(test);
  const list = (await world.api.post<{ id: string }>(world.path('/allowlists'), LIST, { expect: 201 })).body.id;
  const email = newEmail();
  const entries = `/allowlists/${list}/entries`;
  const entry = (await world.api.post<{ id: string }>(entries, { email }, { expect: 201 })).body.id;
  await turn(world, list, 'enable');
  return { world, list, entry, email };
}
const turn = (world: World, list: string, to: 'enable' | 'disable') =>
  world.api.put(`/allowlists/${list}/${to}`, undefined, { expect: 200 });

/** What the transaction of a sign-in sends, from the code to the commit. */
async function sentBy(world: World, email: string): Promise<SentStatement[]> {
  const { sent } = await countStatements(() => world.signIn(email));
  const end = sent.findLastIndex(({ text }) => text === 'COMMIT');
  const begin = sent.slice(0, end).findLastIndex(({ text }) => text === 'BEGIN');
  return sent.slice(begin, end + 1);
}
const namesOf = (sent: readonly SentStatement[]): string[] =>
  sent.map(({ name, text }) => name.replace(/\d+$/, '') || text);
const tripsOf = (sent: readonly SentStatement[]): number => new Set(sent.map(({ answered }) => answered)).size;

const grantOf = async (world: World) =>
  (
    await rowsOf<{ scopes: string[]; revision: number }>(
      test,
      'SELECT scopes, revision FROM access_grants WHERE environment_id = $1',
      [world.environmentId],
    )
  )[0];

describe('a sign-in where an allowlist is on', () => {
  it.each(['browserExtension', 'embeddedWallet'])(
    'grants no access for a wallet given to the user by an API call as %s',
    async (walletProvider) => {
      const { world, list, email } = await listed();
      const stranger = newEmail();
      const [publicWalletAddress, given] = [
        '0x52908400098527886E0F7030069857D2E4169EE7',
        { chain: 'EVM', walletName: 'w' },
      ];
      await world.api.post(`/allowlists/${list}/entries`, { walletPublicKey: publicWalletAddress }, { expect: 201 });
      const wallets = [{ publicWalletAddress, ...given, walletProvider }];
      const person = { email: stranger, emailVerifiedAt: new Date().toISOString(), wallets };
      await world.api.post(world.path('/users'), person, { expect: 201 });
      await world.signIn(email);
      await expect(world.signIn(stranger)).rejects.toThrow(/access_denied/);
    },
  );

  it('sends one more statement, without an extra round trip', async () => {
    const { world, list, email } = await listed();
    // However long it takes, what is remembered for a second is not read again.
    const clock = test.app.get(Clock);
    const standing = jest.spyOn(clock, 'timestamp').mockReturnValue(clock.timestamp());
    await world.signIn(email);
    const withList = await sentBy(world, email);
    await turn(world, list, 'disable');
    await sentBy(world, email);
    const without = await sentBy(world, email);
    standing.mockRestore();
    expect(namesOf(withList).filter((name) => name !== 'accessControl.readStanding')).toEqual(namesOf(without));
    expect(withList.length).toBe(without.length + 1);
    expect(tripsOf(withList)).toBe(tripsOf(without));
    const at = namesOf(withList).indexOf('accessControl.readStanding');
    expect(namesOf(withList.slice(at - 2, at))).toEqual(['sessions.visit', 'sessions.open']);
    expect(withList[at]?.answered).toBe(withList[at - 2]?.answered);
  });

  it('writes what was granted if it has changed, or was written a minute ago', async () => {
    const { world, list, email } = await listed();
    await world.signIn(email);
    expect(await grantOf(world)).toEqual({ scopes: ['early'], revision: 1 });
    expect(namesOf(await sentBy(world, email))).not.toContain('accessGrants.store');
    expect((await grantOf(world))?.revision).toBe(1);
    await fillRows(
      test,
      `UPDATE access_grants SET confirmed_at = now() - interval '61 seconds' WHERE environment_id = $1`,
      [world.environmentId],
    );
    await world.signIn(email);
    expect((await grantOf(world))?.revision).toBe(2);
    await world.api.put(`/allowlists/${list}`, { scope: 'first' }, { expect: 200 });
    expect(namesOf(await sentBy(world, email))).toContain('accessGrants.store');
    // The first session has a token with the scope from before, which the sweep will cut.
    expect(await grantOf(world)).toEqual({ scopes: ['early', 'first'], revision: 3 });
  });

  it('of a user whose entry was removed is refused at once, and leaves nothing behind', async () => {
    const { world, entry, email } = await listed();
    const { userId } = await world.signIn(email);
    const left = async () => [
      await rowsOf(test, 'SELECT id, revoked_at FROM sessions WHERE environment_id = $1', [world.environmentId]),
      await rowsOf(test, 'SELECT last_visit FROM users WHERE environment_id = $1 AND id = $2', [
        world.environmentId,
        userId,
      ]),
      (await eventsOf(test, world.environmentId)).filter(({ name }) => name === 'user.session.created').length,
      await grantOf(world),
    ];
    await world.api.delete(`/allowlistEntries/${entry}`, { expect: 204 });
    const before = await left();
    await expect(world.signIn(email)).rejects.toThrow('got 403');
    expect(await left()).toEqual(before);
  });
});

describe('a sweep that takes away what somebody was given', () => {
  it('leaves alone what has changed since it looked', async () => {
    const { world, email } = await listed();
    const { userId } = await world.signIn(email);
    const { environmentId } = world;
    const grants = test.app.get(AccessGrantsRepository, { strict: false });
    const drop = (revision: number) =>
      test.app.get(UnitOfWork).run((tx) => grants.drop(environmentId, { userId, revision }, [], tx));
    const forget = (revision: number) =>
      test.app.get(UnitOfWork).run((tx) => grants.forget(environmentId, [{ userId, revision }], tx));
    const rows = () =>
      rowsOf<{ scopes: string[] }>(test, 'SELECT * FROM access_grants WHERE environment_id = $1', [environmentId]);
    // A sign-in that was given more meanwhile.
    await grants.keep(environmentId, userId, ['early', 'late'], test.app.get(Database));
    const changed = await rows();
    expect(changed).toMatchObject([{ scopes: ['early', 'late'], revision: 2 }]);
    await grants.markSwept(environmentId, [{ userId, revision: 1, confirmed: true }]);
    expect(await drop(1)).toBe(false);
    await forget(1);
    expect(await rows()).toEqual(changed);
    // Each of its own steps is a change as well.
    await grants.markSwept(environmentId, [{ userId, revision: 2, confirmed: true }]);
    expect([await drop(2), await drop(3), await drop(3)]).toEqual([false, true, false]);
    expect(await rows()).toMatchObject([{ scopes: [], revision: 4 }]);
    await rowsOf(test, 'UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [userId]);
    await forget(4);
    expect(await rows()).toEqual([]);
  });

  it('waits for the user’s sign-in without holding locks, so that they cannot deadlock', async () => {
    const { world, entry, email } = await listed();
    const { userId, jwt } = await world.signIn(email);
    await world.api.delete(`/allowlistEntries/${entry}`, { expect: 204 });
    const ids = [world.environmentId, userId];
    await fillRows(
      test,
      `UPDATE access_grants SET swept_at = now() - interval '6 minutes' WHERE environment_id = $1 AND user_id = $2`,
      ids,
    );
    const signIn = new pg.Client({ connectionString: test.databaseUrl });
    await signIn.connect();
    let sweeping: Promise<number> | undefined;
    try {
      await signIn.query('BEGIN');
      await signIn.query('UPDATE users SET last_visit = now() WHERE environment_id = $1 AND id = $2', ids);
      sweeping = test.app.get(AccessSweepJob).run();
      await eventually('the sweep waits', async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%access_grants%'
          AND datname = current_database()`;
        return (await rowsOf(test, waiting)).length === 1;
      });
      const theirs = 'FROM access_grants WHERE environment_id = $1 AND user_id = $2 FOR UPDATE NOWAIT';
      expect((await signIn.query(`SELECT 1 ${theirs}`, ids)).rowCount).toBe(1);
      await signIn.query('COMMIT');
    } finally {
      await signIn.end();
      await sweeping;
    }
    expect(await grantOf(world)).toMatchObject({ scopes: [] });
    const seen = await world.anonymous.withToken(jwt).get<SignedIn['body'] & { code: string }>(world.sdk('/session'));
    expect(seen.body.code).toBe('token_cut');
  });
});
