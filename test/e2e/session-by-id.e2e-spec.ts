import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { analyticsClients } from '../../src/cli/analytics.commands.js';
import { ClientEventsPurge } from '../../src/identity/visits/client-events-purge.job.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

interface Shown {
  id: string;
  createdAt: string;
  revokedAt?: string;
}

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});

afterAll(() => test.close());

const read = (userId: string, sessionId: string, caller = world.owner) =>
  caller.get<Shown>(`/users/${userId}/sessions/${sessionId}`);
const revoke = (sessionId: string, caller = world.owner) => caller.put<Shown>(`/sessions/${sessionId}/revoke`);

describe('one session of a user', () => {
  it('is shown to members and tokens of the environment, and ends once when fifty ask at once', async () => {
    const { userId, sessionId, jwt } = await world.signIn(newEmail());
    for (const caller of [world.owner, world.api]) {
      const { status, body } = await read(userId, sessionId, caller);
      expect([status, body]).toEqual([200, expect.objectContaining({ id: sessionId, createdAt: expect.any(String) })]);
      expect(body).not.toHaveProperty('revokedAt');
    }
    const answers = await Promise.all(Array.from({ length: 50 }, () => revoke(sessionId)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.revokedAt)).size).toBe(1);
    expect((await world.anonymous.get(world.sdk('/session'), { token: jwt })).status).toBe(401);
    const events = await eventsOf(test, world.environmentId, sessionId);
    expect(events.map(({ name }) => name)).toEqual(['user.session.created', 'user.session.revoked']);
    const { organizationId, ownerUserId } = world.ids;
    expect(await auditOf(test, organizationId, { resourceId: sessionId })).toMatchObject([
      {
        action: 'user.session.revoked',
        actor: { kind: 'member', id: ownerUserId },
        resourceType: 'session',
        environmentId: world.environmentId,
      },
    ]);
    expect((await read(userId, sessionId)).body.revokedAt).toBe(answers[0]!.body.revokedAt);
  });

  it('is unknown to another environment and beside another user', async () => {
    const [ann, bob] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const other = await World.create(test);
    for (const caller of [other.owner, other.api]) {
      expect((await read(ann.userId, ann.sessionId, caller)).status).toBe(404);
      expect((await revoke(ann.sessionId, caller)).status).toBe(404);
    }
    expect((await read(bob.userId, ann.sessionId)).status).toBe(404);
    expect((await revoke('018f0000-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await world.anonymous.get(world.sdk('/session'), { token: ann.jwt })).status).toBe(204);
  });
});

describe('what pages say has happened', () => {
  const event = (name: string) => ({ anonymousId: 'a-secret-visitor', event: name, properties: {}, type: 'track' });
  const publish = (names: string[], at = world) => at.anonymous.post(at.sdk('/events'), { events: names.map(event) });

  /** The environment itself is remembered for some seconds. */
  const countsOf = (sent: readonly { name: string }[]): string[] =>
    sent.map(({ name }) => name).filter((name) => name !== 'environments.find');

  it('is counted by name and day in one statement, exactly when fifty batches come at once', async () => {
    await publish(['viewed', 'clicked']);
    const one = await countStatements(() => publish(['viewed']));
    expect([one.result.status, countsOf(one.sent)]).toEqual([204, ['clientEvents.count']]);
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => publish(n % 2 === 0 ? ['viewed', 'clicked'] : ['clicked', 'viewed'])),
    );
    const rows = await rowsOf<object>(
      test,
      // A day may end between the batches.
      'SELECT event, sum(count)::int AS count FROM client_event_counts WHERE environment_id = $1 GROUP BY event ORDER BY event',
      [world.environmentId],
    );
    expect(rows).toEqual([
      { event: 'clicked', count: 51 },
      { event: 'viewed', count: 52 },
    ]);
  });

  it('is shown to the operator, beside the settings that a page ran with last', async () => {
    const there = await World.create(test);
    const shown = async (): Promise<string[]> => {
      const said = jest.spyOn(console, 'log').mockReturnValue();
      try {
        await analyticsClients(test.app, ['--environment', there.environmentId]);
        return said.mock.calls.map(([line]) => String(line));
      } finally {
        said.mockRestore();
      }
    };
    expect(await shown()).toEqual(['settings  not reported by any client yet', '0 names of events']);
    await publish(['viewed', '\u001b[2J\u009b1mgone', 'viewed'], there);
    const report = { sdkContextProps: { theme: 'dark' } };
    await there.anonymous.post(there.sdk('/sdkSettings'), report, { expect: 204 });
    const [settings, ...lines] = await shown();
    expect(settings).toMatch(/^settings {2}\S+Z {2}\{"sdkContextProps":\{"theme":"dark"\}\}$/);
    expect(lines).toEqual([
      expect.stringMatching(/^ {9}2 {2}\d{4}-\d\d-\d\d {2}"viewed"$/),
      expect.stringMatching(/^ {9}1 {2}\S+ {2}"\\u001b\[2J\\u009b1mgone"$/),
      '2 names of events',
    ]);
  });

  it('has at most so many names in a day', async () => {
    const there = await World.create(test);
    await rowsOf(
      test,
      // Tomorrow as well, which may have begun when the next batch comes.
      `INSERT INTO client_event_counts SELECT $1, date_trunc('day', now() + days * interval '1 day', 'UTC'), 'e' || n, 1
       FROM generate_series(0, 1) days, generate_series(1, 500) n`,
      [there.environmentId],
    );
    expect((await publish(['e1', 'one more'], there)).status).toBe(204);
    const [row] = await rowsOf(
      test,
      `SELECT count(DISTINCT event)::int AS names, max(count)::int AS most FROM client_event_counts WHERE environment_id = $1`,
      [there.environmentId],
    );
    expect(row).toEqual({ names: 500, most: 2 });
    // The names of one environment take no room from another.
    const elsewhere = await World.create(test);
    await publish(['one more'], elsewhere);
    const counted = 'SELECT event, count::int FROM client_event_counts WHERE environment_id = $1';
    expect(await rowsOf(test, counted, [elsewhere.environmentId])).toEqual([{ event: 'one more', count: 1 }]);
  });

  it('has no more names than that when batches of new ones come at once', async () => {
    const there = await World.create(test);
    await rowsOf(
      test,
      `INSERT INTO client_event_counts SELECT $1, date_trunc('day', now() + days * interval '1 day', 'UTC'), 'e' || n, 1
       FROM generate_series(0, 1) days, generate_series(1, 496) n`,
      [there.environmentId],
    );
    const batch = (n: number): string[] => Array.from({ length: 9 }, (_, at) => `batch ${n} has ${at}`);
    await Promise.all(Array.from({ length: 20 }, (_, n) => publish(['e1', ...batch(n)], there)));
    const [row] = await rowsOf(
      test,
      `SELECT max(names)::int AS names, max(most)::int AS most FROM (
         SELECT count(*) AS names, max(count) AS most FROM client_event_counts WHERE environment_id = $1 GROUP BY day) d`,
      [there.environmentId],
    );
    expect(row).toEqual({ names: 500, most: 21 });
  });

  it('is kept for 90 days', async () => {
    const there = await World.create(test);
    for (const days of [89, 91]) {
      await rowsOf(
        test,
        "INSERT INTO client_event_counts VALUES ($1, date_trunc('day', now() - $2 * interval '1 day', 'UTC'), $2::text, 1)",
        [there.environmentId, days],
      );
    }
    await test.app.get(ClientEventsPurge).run();
    const kept = 'SELECT event FROM client_event_counts WHERE environment_id = $1';
    expect(await rowsOf(test, kept, [there.environmentId])).toEqual([{ event: '89' }]);
  });

  it('is not counted without a name, or with a very long one', async () => {
    const one = await countStatements(() => publish(['', 'x'.repeat(256)]));
    expect([one.result.status, countsOf(one.sent)]).toEqual([204, []]);
  });

  it.each([
    ['none', []],
    ['eleven', Array.from({ length: 11 }, () => 'viewed')],
  ])('is refused as %s', async (_, names) => {
    expect((await publish(names)).status).toBe(400);
  });
});
