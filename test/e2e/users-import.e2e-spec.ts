import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { usersImport } from '../../src/cli/users-import.command.js';
import { UsersImport } from '../../src/identity/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

const AT_ONCE = 50;

describe('users from elsewhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-users-'));
  let test: TestApp;
  let world: World;
  let files = 0;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api', DATABASE_POOL: '60', DATABASE_WAIT_MS: '30000' } });
  });
  beforeEach(async () => void (world = await World.create(test)));
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const usersOf = () =>
    rowsOf<{ id: string; email: string | null; private: Record<string, unknown> | null }>(
      test,
      'SELECT id, email, private_metadata AS private FROM users WHERE environment_id = $1 ORDER BY email',
      [world.environmentId],
    );
  /** Runs the command on a file, and answers what it reported. */
  const take = async (name: string, text: string): Promise<{ user: number; problem: string }[]> => {
    const [path, report] = [join(folder, `${++files}-${name}`), join(folder, `${files}-report.ndjson`)];
    writeFileSync(path, text);
    const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await usersImport(test.app, [path, '--environment', world.environmentId, '--report', report]);
      expect(said.mock.calls.at(-1)).toEqual([expect.stringMatching(/^\d+ added, \d+ already present, \d+ refused$/)]);
    } finally {
      said.mockRestore();
    }
    const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as { user: number; problem: string });
  };

  it('come out of CSV, each line for itself, and sign in with what they had', async () => {
    const email = newEmail();
    const head = 'id,email,emailVerified,firstName,metadata';
    const lines = [head, `1,${email},true,Ada,"{""plan"":""gold""}"`, '2,not an address,true,Bob,', ',,,Nobody,'];
    const problems = await take('users.csv', lines.join('\n'));
    expect(problems.map(({ user }) => user)).toEqual([3, 4]);
    expect(problems[0]!.problem).toContain('email');
    expect(problems[1]!.problem).toContain('neither an id nor an email');
    // Lines of one batch are taken at once, and which of two is the first nobody can say.
    expect(await take('again.csv', [head, `3,${email.toUpperCase()},true,Ada again,`].join('\n'))).toEqual([]);
    const users = await usersOf();
    expect(users).toEqual([expect.objectContaining({ email, private: { importedId: '1' } })]);
    const { userId } = await world.signIn(email);
    expect(userId).toBe(users[0]!.id);
    expect((await eventsOf(test, world.environmentId, userId)).map(({ name }) => name)).toContain('user.created');
  });

  it('come out of JSON of an identity server, and social accounts with them', async () => {
    const email = newEmail();
    const accountId = String(process.hrtime.bigint());
    const users = [
      { user_id: 'auth0|1', email, email_verified: true, identities: [{ provider: 'github', user_id: accountId }] },
      { user_id: 'auth0|2', email: newEmail(), blocked: true },
      { user_id: 'auth0|3', user_metadata: { text: 'x'.repeat(20_000) } },
    ];
    const problems = await take('auth0.json', users.map((one) => JSON.stringify(one)).join('\n'));
    expect(problems).toEqual([
      { user: 2, problem: 'may not sign in where it comes from' },
      { user: 3, problem: expect.stringMatching(/metadata/i) },
    ]);
    const [user] = await usersOf();
    expect(user).toMatchObject({ email });
    const accounts = await rowsOf(
      test,
      `SELECT oauth_provider, oauth_account_id FROM credentials WHERE environment_id = $1 AND user_id = $2 AND format = 'oauth'`,
      [world.environmentId, user!.id],
    );
    expect(accounts).toEqual([{ oauth_provider: 'github', oauth_account_id: accountId }]);
  });

  it('that are one user in several rows come in by one of them, and the report names the others', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const lines = ['id,email,firstName', `1,${email},Ada`, '7,,Eve', `2,${other},Bob`, '7,,Mallory', `3,${email},Ann`];
    const problems = await take('repeated.csv', lines.join('\n'));
    expect(problems).toHaveLength(2);
    const same = problems.map(({ user, problem }) => [
      user,
      Number(/^is the same user as (\d+) and/.exec(problem)?.[1]),
    ]);
    expect(same.map((pair) => pair.sort((a, b) => a - b)).sort()).toEqual([
      [2, 6],
      [3, 5],
    ]);
    expect(await usersOf()).toHaveLength(3);
    expect(await take('repeated.csv', lines.join('\n'))).toEqual([
      { user: 5, problem: 'is the same user as 3 and was left out' },
      { user: 6, problem: 'is the same user as 2 and was left out' },
    ]);
  });

  it('are here once, however often the file is taken, and those who were here before are left alone', async () => {
    const known = newEmail();
    const { userId } = await world.signIn(known);
    const users = [
      { email: known, firstName: 'Changed' },
      ...Array.from({ length: 20 }, () => ({ email: newEmail() })),
    ];
    const withoutEmail = { id: 'only-an-id', firstName: 'Eve' };
    const text = JSON.stringify({ users: [...users, withoutEmail] });
    expect(await take('some.json', text)).toEqual([]);
    expect(await take('some.json', text)).toEqual([]);
    const stored = await usersOf();
    expect(stored).toHaveLength(22);
    expect(stored.filter(({ email }) => email === known)).toEqual([expect.objectContaining({ id: userId })]);
  });

  it(`are here once, of ${AT_ONCE} imports at once`, async () => {
    const email = newEmail();
    const users = test.app.get(UsersImport);
    const add = () => users.add(world.environmentId, { user_id: 'auth0|9', email, email_verified: true });
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, add));
    const counts = outcomes.map(({ outcome }) => outcome);
    expect(counts.filter((one) => one === 'added')).toHaveLength(1);
    expect(counts.filter((one) => one === 'present')).toHaveLength(AT_ONCE - 1);
    expect(await usersOf()).toHaveLength(1);
  });

  it('are refused as a file that cannot be read, with what was read before it', async () => {
    const email = newEmail();
    await expect(take('cut.json', `[${JSON.stringify({ email })}, {"email`)).rejects.toThrow(
      'cannot be read after user 1',
    );
    await expect(
      usersImport(test.app, [join(folder, 'none.json'), '--environment', world.environmentId]),
    ).rejects.toThrow('ENOENT');
    await expect(usersImport(test.app, ['--environment', world.environmentId])).rejects.toThrow('Name the file first');
  });
});
