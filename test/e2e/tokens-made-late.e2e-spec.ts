import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { TestClient, type Answer } from '../support/client.js';
import type { Refusal } from '../support/codes.js';
import { sessionsWaiting } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { Tenant, type Member } from '../support/surface/tenant.js';

interface Made extends Partial<Refusal> {
  token?: { id: string; rawToken: string };
}

const REQUEST = { note: 'late', scopes: ['environment.apiTokens.write'] };
const CALLS = 50;
const AHEAD = 10;

describe('who has just lost the right to make API tokens', () => {
  let test: TestApp;
  let other: TestApp;
  let tenant: Tenant;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    other = await startTestApp({ databaseUrl: test.databaseUrl, masterKey: test.masterKey, env: { ROLE: 'api' } });
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });
  beforeEach(async () => {
    tenant = await Tenant.create(test);
  });
  afterEach(() => tenant.close());

  const path = (): string => tenant.world.path('/tokens');
  const elsewhere = (token: string): TestClient => new TestClient(other.url, token);
  const makeWith = (client: TestClient) => client.post<Made>(path(), REQUEST);

  /** A token that a member made, which makes others. */
  async function madeBy(client: TestClient): Promise<{ id: string; rawToken: string }> {
    const { body } = await client.post<Made>(path(), REQUEST, { expect: 201 });
    return body.token!;
  }

  /** The other instance has just recognised the token, and does for a second. */
  const known = (raw: string) => elsewhere(raw).post(path(), { scopes: [] }, { expect: 400 });

  const countOf = async (createdBy?: string): Promise<number> => {
    const sql =
      'SELECT count(*)::int AS count FROM api_tokens WHERE environment_id = $1 AND ($2::uuid IS NULL OR created_by = $2)';
    return (await rowsOf<{ count: number }>(test, sql, [tenant.world.environmentId, createdBy ?? null]))[0]!.count;
  };
  const remove = ({ id }: Member, tokens = 'revoke') =>
    tenant.world.owner.delete(`/members/${id}?tokens=${tokens}`, { expect: 204 });

  /** Calls of these clients in turn, some of them sent before `end` and the others right behind it. */
  async function beside(clients: readonly TestClient[], end: () => Promise<unknown>): Promise<Answer<Made>[]> {
    const makeAll = (length: number) => Array.from({ length }, (_, n) => makeWith(clients[n % clients.length]!));
    const before = makeAll(AHEAD);
    const ended = end();
    const answers = await Promise.all([...before, ...makeAll(CALLS - AHEAD)]);
    await ended;
    return answers;
  }

  it('makes none with a token that another instance has deleted', async () => {
    const { id, rawToken } = await madeBy(tenant.world.owner);
    await known(rawToken);
    await tenant.world.api.delete(`${path()}/${id}`, { expect: 204 });
    const before = await countOf();
    expect((await makeWith(elsewhere(rawToken))).status).toBe(401);
    expect(await countOf()).toBe(before);
  });

  it('makes none with a token that has expired', async () => {
    const { id, rawToken } = await madeBy(tenant.world.owner);
    await known(rawToken);
    await rowsOf(test, 'UPDATE api_tokens SET expires_at = now() WHERE id = $1', [id]);
    const before = await countOf();
    expect((await makeWith(elsewhere(rawToken))).status).toBe(401);
    expect(await countOf()).toBe(before);
  });

  it('makes none with a token of a member whom another instance has removed', async () => {
    const leaver = await tenant.addMember('developer');
    const { rawToken } = await madeBy(leaver.client);
    await known(rawToken);
    await remove(leaver);
    expect((await makeWith(elsewhere(rawToken))).status).toBe(401);
    expect(await countOf(leaver.userId)).toBe(0);
  });

  it('keeps making them with a token that stays when its member goes', async () => {
    const leaver = await tenant.addMember('developer');
    const { rawToken } = await madeBy(leaver.client);
    await remove(leaver, 'keep');
    expect((await makeWith(elsewhere(rawToken))).status).toBe(201);
  });

  it.each([
    ['is removed', 'DELETE FROM members WHERE id = $1', 404, 'not_found'],
    ['loses the role', "UPDATE members SET role = 'viewer' WHERE id = $1", 403, 'role_withdrawn'],
  ])('makes none in a call of a member who %s meanwhile', async (_, sql, status, code) => {
    const leaver = await tenant.addMember('developer');
    const session = new TestClient(test.url, await tenant.world.provenSession(leaver.email));
    const { organizationId } = tenant.world.ids;
    const answer = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      await client.query(sql, [leaver.id]);
      let isAnswered = false;
      const call = makeWith(session).finally(() => (isAnswered = true));
      await eventually(
        'the call waits for the organization',
        async () => isAnswered || (await sessionsWaiting(test.databaseUrl)) > 0,
      );
      await client.query('COMMIT');
      return call;
    });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await countOf(leaver.userId)).toBe(0);
  });

  it(`makes none that outlives a token that is deleted beside ${CALLS} calls`, async () => {
    const { id, rawToken } = await madeBy(tenant.world.owner);
    await rowsOf(test, "UPDATE api_tokens SET expires_at = now() + interval '1 hour' WHERE id = $1", [id]);
    await known(rawToken);
    const clients = [new TestClient(test.url, rawToken), elsewhere(rawToken)];
    const answers = await beside(clients, () => tenant.world.api.delete(`${path()}/${id}`, { expect: 204 }));
    expect(answers.map(({ status }) => status).filter((status) => ![201, 401, 422].includes(status))).toEqual([]);
    const made = answers.flatMap(({ body }) => (body.token ? [body.token.id] : []));
    const sql = `SELECT count(*)::int AS late FROM api_tokens WHERE id = ANY ($1) AND expires_at > now() + interval '1 hour'`;
    expect(await rowsOf(test, sql, [made])).toEqual([{ late: 0 }]);
    // Every one that there is was made before the deletion, which the trail of the organization says in its order.
    const trail = await auditOf(test, tenant.world.ids.organizationId);
    const order = trail.map(({ resourceId }) => resourceId);
    const deletion = order.lastIndexOf(id);
    expect(made.map((each) => order.indexOf(each)).filter((at) => at < 0 || at > deletion)).toEqual([]);
  });

  it(`leaves none of a member who is removed beside ${CALLS} calls with a token and a session`, async () => {
    const leaver = await tenant.addMember('developer');
    const { rawToken } = await madeBy(leaver.client);
    await known(rawToken);
    const clients = [elsewhere(rawToken), elsewhere(await tenant.world.provenSession(leaver.email))];
    const answers = await beside(clients, () => remove(leaver));
    expect(answers.map(({ status }) => status).filter((status) => ![201, 401, 404, 422].includes(status))).toEqual([]);
    expect(await countOf(leaver.userId)).toBe(0);
  });
});
