import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Clock } from '../../src/common/clock.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { TestClient, type Answer } from '../support/client.js';
import { trySignIn, type Refusal } from '../support/codes.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

type SignedInBody = SignedIn['body'] & Refusal;

let test: TestApp;
let other: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  other = await startTestApp({ env: { ROLE: 'api' }, databaseUrl: test.databaseUrl });
  world = await World.create(test);
});

afterAll(async () => {
  await other.close();
  await test.close();
});

const check = (token: string): Promise<Answer<unknown>> =>
  world.anonymous.get<unknown>(world.sdk('/session'), { token });
const checkElsewhere = (token: string): Promise<Answer<unknown>> =>
  new TestClient(other.url).get<unknown>(world.sdk('/session'), { token });
const refresh = (token: string): Promise<Answer<SignedInBody>> =>
  world.anonymous.post<SignedInBody>(world.sdk('/refresh'), undefined, { token });
const revoke = (token: string): Promise<Answer<unknown>> =>
  world.anonymous.post<unknown>(world.sdk('/revoke'), undefined, { token });

const namesOfEvents = async (sessionId: string): Promise<string[]> =>
  (await eventsOf(test, world.environmentId, sessionId)).map(({ name }) => name);

const tokenIdOf = (token: string): unknown => decodeJwt(token).jti;

describe('a call with a session', () => {
  /** Keys, settings and the environment are looked up once a second; the least of some runs is without that. */
  async function fewestStatements(call: () => Promise<Answer<unknown>>, status: number): Promise<string[]> {
    const runs: string[][] = [];
    for (let n = 0; n < 4; n += 1) {
      const { result, statements } = await countStatements(call);
      expect(result.status).toBe(status);
      runs.push(statements);
    }
    return runs.toSorted((a, b) => a.length - b.length)[0]!;
  }

  it('is checked with one statement', async () => {
    const { minifiedJwt } = await world.signIn(newEmail());
    const statements = await fewestStatements(() => check(minifiedJwt), 204);
    expect(statements).toEqual([expect.stringContaining('JOIN sessions')]);
  });

  it('reads the own profile with one statement more', async () => {
    const { jwt } = await world.signIn(newEmail());
    const read = () => world.anonymous.get<unknown>(world.sdk('/users'), { token: jwt });
    expect(await fewestStatements(read, 200)).toHaveLength(2);
  });

  it('refreshes with three statements', async () => {
    let { jwt } = await world.signIn(newEmail());
    const statements = await fewestStatements(async () => {
      const answer = await refresh(jwt);
      jwt = answer.body.jwt!;
      return answer;
    }, 200);
    expect(statements).toHaveLength(3);
  });

  it('ends it with one transaction of two statements', async () => {
    const { email } = await world.signIn(newEmail());
    const tokens: string[] = [];
    for (let n = 0; n < 4; n += 1) tokens.push((await world.signIn(email)).jwt);
    const statements = await fewestStatements(() => revoke(tokens.pop()!), 204);
    expect(statements.map((text) => text.slice(0, 15))).toEqual([
      'SELECT asked.at',
      'BEGIN',
      'UPDATE sessions',
      'WITH appended A',
      'COMMIT',
    ]);
  });

  it('is refused without a token, with one in the query, and with an API token', async () => {
    const { jwt } = await world.signIn(newEmail());
    expect((await world.anonymous.get<unknown>(world.sdk('/session'))).status).toBe(401);
    expect((await world.anonymous.get<unknown>(world.sdk(`/session?token=${jwt}&access_token=${jwt}`))).status).toBe(
      401,
    );
    expect((await world.api.get<unknown>(world.sdk('/session'))).status).toBe(401);
    expect((await world.owner.get<unknown>(world.sdk('/session'))).status).toBe(401);
    expect((await world.anonymous.get<unknown>(world.path('/users'), { token: jwt })).status).toBe(401);
  });

  it('is refused in another environment', async () => {
    const { jwt } = await world.signIn(newEmail());
    const path = world.sdk('/session', world.ids.environments.live);
    expect((await world.anonymous.get<unknown>(path, { token: jwt })).status).toBe(401);
  });
});

describe('a refresh', () => {
  const age = (sessionId: string, seconds: number): Promise<object[]> =>
    rowsOf(test, 'UPDATE sessions SET token_issued_at = token_issued_at - make_interval(secs => $2) WHERE id = $1', [
      sessionId,
      seconds,
    ]);

  it('a hundred times at once gives one successor, in equal bytes', async () => {
    const { jwt, sessionId } = await world.signIn(newEmail());
    const answers = await Promise.all(Array.from({ length: 100 }, () => refresh(jwt)));
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const next = answers[0]!.body.jwt!;
    expect(tokenIdOf(next)).not.toBe(tokenIdOf(jwt));
    expect(decodeJwt(next).sid).toBe(sessionId);
    const [row] = await rowsOf(test, 'SELECT token_id AS id, previous_token_id AS "was" FROM sessions WHERE id = $1', [
      sessionId,
    ]);
    expect(row).toEqual({ id: tokenIdOf(next), was: tokenIdOf(jwt) });
    expect(await namesOfEvents(sessionId)).toEqual(['user.session.created']);
    expect((await check(next)).status).toBe(204);
  });

  it('that is repeated within ten seconds returns the same successor, by either token', async () => {
    for (let isInTime = false; !isInTime;) {
      const { jwt, minifiedJwt, sessionId } = await world.signIn(newEmail());
      const from = performance.now();
      const first = await refresh(jwt);
      await age(sessionId, 8);
      const again = await refresh(minifiedJwt);
      // Where the machine stood still meanwhile, the ten seconds were over.
      isInTime = performance.now() - from < 2_000;
      if (!isInTime) continue;
      expect(again.status).toBe(200);
      expect(tokenIdOf(again.body.jwt!)).toBe(tokenIdOf(first.body.jwt!));
    }
  });

  it('with a token that was exchanged longer ago ends the session with all its tokens', async () => {
    const { jwt, sessionId } = await world.signIn(newEmail());
    const next = (await refresh(jwt)).body.jwt!;
    await age(sessionId, 11);
    const reused = await refresh(jwt);
    expect([reused.status, reused.body.code]).toEqual([401, 'token_reused']);
    for (const token of [jwt, next]) {
      expect((await check(token)).status).toBe(401);
      expect((await checkElsewhere(token)).status).toBe(401);
      expect((await refresh(token)).status).toBe(401);
    }
    expect(await namesOfEvents(sessionId)).toEqual(['user.session.created', 'user.session.revoked']);
  });

  it('with a token two generations old ends the session too', async () => {
    const { jwt, sessionId } = await world.signIn(newEmail());
    const second = (await refresh(jwt)).body.jwt!;
    const third = (await refresh(second)).body.jwt!;
    expect((await refresh(jwt)).status).toBe(401);
    expect((await check(third)).status).toBe(401);
    expect(await namesOfEvents(sessionId)).toContain('user.session.revoked');
  });

  it('never outlives the session', async () => {
    const { jwt, sessionId } = await world.signIn(newEmail());
    await rowsOf(test, "UPDATE sessions SET expires_at = now() + interval '2 minutes' WHERE id = $1", [sessionId]);
    const { body } = await refresh(jwt);
    expect(Number(body.expiresAt) - Date.now() / 1000).toBeLessThanOrEqual(121);
  });
});

describe('a session that ends', () => {
  it('is refused by every instance from the next call on', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { jwt } = await world.signIn(newEmail());
      expect([(await check(jwt)).status, (await checkElsewhere(jwt)).status]).toEqual([204, 204]);
      expect((await revoke(jwt)).status).toBe(204);
      expect((await checkElsewhere(jwt)).status).toBe(401);
      expect((await check(jwt)).status).toBe(401);
    }
  });

  it('by its user has one event, however often it is asked for', async () => {
    const { jwt, sessionId, userId } = await world.signIn(newEmail());
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke(jwt)));
    expect(answers.some(({ status }) => status === 204)).toBe(true);
    const events = await eventsOf(test, world.environmentId, sessionId);
    expect(events.map(({ name, userId: by }) => [name, by])).toEqual([
      ['user.session.created', userId],
      ['user.session.revoked', userId],
    ]);
  });

  it('with all others of the user has one event for each', async () => {
    const email = newEmail();
    const sessions: SignedIn[] = [];
    for (let n = 0; n < 5; n += 1) sessions.push(await world.signIn(email));
    const bystander = await world.signIn(newEmail());
    await revoke(sessions[0]!.jwt);
    const path = world.path(`/users/${sessions[0]!.userId}/sessions/revoke`);
    expect((await world.api.post<unknown>(path)).status).toBe(204);
    for (const { jwt, sessionId } of sessions) {
      expect([(await check(jwt)).status, (await checkElsewhere(jwt)).status]).toEqual([401, 401]);
      expect(await namesOfEvents(sessionId)).toEqual(['user.session.created', 'user.session.revoked']);
    }
    expect((await check(bystander.jwt)).status).toBe(204);
    expect((await world.api.post<unknown>(path)).status).toBe(204);
    const unknown = world.path('/users/018f0000-0000-7000-8000-000000000000/sessions/revoke');
    expect((await world.api.post<unknown>(unknown)).status).toBe(404);
  });

  it('goes with its user', async () => {
    const { jwt, userId } = await world.signIn(newEmail());
    await world.api.delete(world.path(`/users/${userId}`), { expect: 204 });
    expect((await check(jwt)).status).toBe(401);
    expect((await refresh(jwt)).status).toBe(401);
  });

  it('is the oldest when a user opens more than fifty, even five at once', async () => {
    const email = newEmail();
    const first = await world.signIn(email);
    const proofs: [string, string][] = [];
    for (let n = 0; n < 59; n += 1) proofs.push([await world.sendCode(email), world.code(email)]);
    // A sixth at the same moment would wait: tries count before anybody knows that they are right.
    const statuses: number[] = [];
    while (proofs.length > 0) {
      const answers = await Promise.all(proofs.splice(0, 5).map(([id, code]) => trySignIn(world, id, code)));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses).toEqual(Array(59).fill(200));
    const [live] = await rowsOf(
      test,
      'SELECT count(*)::int AS count FROM sessions WHERE environment_id = $1 AND user_id = $2 AND revoked_at IS NULL',
      [world.environmentId, first.userId],
    );
    expect(live).toEqual({ count: 50 });
    expect((await check(first.jwt)).status).toBe(401);
    const [ended] = await rowsOf(
      test,
      `SELECT count(*)::int AS count FROM events e JOIN sessions s ON s.environment_id = e.environment_id
         AND s.id = e.resource_id WHERE s.user_id = $1 AND e.name = 'user.session.revoked'`,
      [first.userId],
    );
    expect(ended).toEqual({ count: 10 });
  });
});

describe('time', () => {
  afterEach(() => {
    Reflect.deleteProperty(test.app.get(Clock), 'timestamp');
  });

  const at = (seconds: number): void => {
    test.app.get(Clock).timestamp = () => seconds * 1000;
  };

  it('ends a token a minute after its expiry, since clocks differ', async () => {
    const { jwt, minifiedJwt } = await world.signIn(newEmail());
    const { exp = 0, iat = 0 } = decodeJwt(jwt);
    for (const token of [jwt, minifiedJwt]) {
      at(exp + 59);
      expect((await check(token)).status).toBe(204);
      at(exp + 60);
      expect((await check(token)).status).toBe(401);
      expect((await refresh(token)).status).toBe(401);
      at(iat - 60);
      expect((await check(token)).status).toBe(204);
      at(iat - 61);
      expect((await check(token)).status).toBe(401);
    }
  });

  it('of a first proof is that of the session it opens, whatever the clock of the instance says', async () => {
    const world = await World.create(test);
    test.app.get(Clock).now = () => new Date(Date.now() + 60_000);
    const { userId } = await world.signIn(newEmail()).finally(() => Reflect.deleteProperty(test.app.get(Clock), 'now'));
    const [row] = await rowsOf(
      test,
      `SELECT c.verified_at - s.created_at = interval '0' AS same FROM credentials c
       JOIN sessions s ON s.environment_id = c.environment_id AND s.user_id = c.user_id WHERE c.user_id = $1`,
      [userId],
    );
    expect(row).toEqual({ same: true });
  });

  it('ends a session thirty days after its sign-in, whatever its tokens say', async () => {
    const { jwt, sessionId } = await world.signIn(newEmail());
    const [row] = await rowsOf(test, 'SELECT expires_at - created_at AS lasts FROM sessions WHERE id = $1', [
      sessionId,
    ]);
    expect(row).toEqual({ lasts: expect.objectContaining({ days: 30 }) });
    await rowsOf(test, "UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1", [sessionId]);
    expect((await check(jwt)).status).toBe(401);
    expect((await refresh(jwt)).status).toBe(401);
  });
});
