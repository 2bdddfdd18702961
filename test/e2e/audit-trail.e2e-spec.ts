import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { IntegerField } from '../../src/common/fields/index.js';
import { defineEvent, UnitOfWork } from '../../src/database/index.js';
import { GENESIS_HASH } from '../../src/common/hash-chain.js';
import { recordHash } from '../../src/organizations/audit/record-hash.js';
import { ChangeLog, SERVICE } from '../../src/organizations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { countStatements, type SentStatement } from '../support/statements.js';
import { Tenant } from '../support/surface/tenant.js';
import { newEmail, World } from '../support/world.js';

class Push {
  @IntegerField()
  at!: number;
}

const PUSHED = defineEvent('button.pushed', 'Only in this test.', { payload: Push });
const MANY = 100_000;

interface Shown {
  sequence: number;
  id: string;
  occurredAt: string;
  actor: { kind: 'member'; id: string };
  action: string;
  resource: { type: string; id: string };
  environmentId?: string;
  changes: { field: string; before?: unknown; after?: unknown }[];
  previousHash: string;
  hash: string;
}
interface Page {
  data: Shown[];
  cursor?: string;
}

describe('the audit trail', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
  });
  afterAll(() => test.close());

  const pathOf = ({ ids }: World, query = ''): string => `/organizations/${ids.organizationId}/audit${query}`;
  const read = async (of: World, query = ''): Promise<Page> =>
    (await of.owner.get<Page>(pathOf(of, query), { expect: 200 })).body;
  const push = (of: World, times: number): Promise<void> =>
    test.app.get(UnitOfWork).run(async (tx) => {
      const { environmentId } = of;
      for (let at = 1; at <= times; at++) {
        const change = { event: PUSHED, resource: { type: 'button', id: `${at}` }, before: null, after: { at } };
        await test.app.get(ChangeLog).record({ scope: { environmentId }, actor: SERVICE, ...change }, tx);
      }
    });

  it('shows each record whole, so that a reader can compute its hash and the chain', async () => {
    const own = await World.create(test);
    const named = "UPDATE users SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = $1";
    await rowsOf(test, named, [own.ids.ownerUserId]);
    await own.owner.put(`/projects/${own.ids.projectId}`, { name: 'Renamed' }, { expect: 200 });
    const { data } = await read(own);
    expect(data[0]).toMatchObject({
      actor: { kind: 'member', id: own.ids.ownerUserId, name: 'Ada Lovelace', email: own.ownerEmail },
      action: 'project.updated',
      resource: { type: 'project', id: own.ids.projectId },
      changes: [{ field: 'name', before: expect.any(String), after: 'Renamed' }],
      occurredAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/),
    });
    let previousHash: Buffer = GENESIS_HASH;
    for (const { resource, environmentId = null, changes, hash, ...record } of data.reverse()) {
      // Names are looked up when the record is read; the trail keeps ids.
      const { name: _name, email: _email, ...actor } = record.actor as typeof record.actor & Record<string, unknown>;
      const computed = recordHash({
        ...record,
        actor,
        organizationId: own.ids.organizationId,
        resourceType: resource.type,
        resourceId: resource.id,
        environmentId,
        changes: changes.map(({ field, before = null, after = null }) => ({ field, before, after })),
        previousHash,
      });
      expect(record.previousHash).toBe(previousHash.toString('hex'));
      expect(computed.toString('hex')).toBe(hash);
      previousHash = computed;
    }
  });

  it('comes in pages that neither repeat nor miss a record, while others are written', async () => {
    const own = await World.create(test);
    await push(own, 25);
    const seen: number[] = [];
    let cursor = '';
    do {
      const page = await read(own, `?limit=10${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ sequence }) => sequence));
      cursor = page.cursor ?? '';
      await push(own, 1);
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => seen.length - at));
    expect(seen.length).toBeGreaterThan(25);
  });

  it('is 50 records a page unless 1 to 100 are asked for', async () => {
    const own = await World.create(test);
    await push(own, 120);
    expect((await read(own)).data).toHaveLength(50);
    for (const limit of [1, 2, 99, 100]) expect((await read(own, `?limit=${limit}`)).data).toHaveLength(limit);
    for (const limit of ['0', '101', '-1', '1.5', 'x', '']) {
      const { body } = await own.owner.get<{ code: string }>(pathOf(own, `?limit=${limit}`), { expect: 400 });
      expect(body.code).toBe('validation_failed');
    }
  });

  it('has no further page exactly at its end', async () => {
    const own = await World.create(test);
    const { data } = await read(own, '?limit=100');
    const limit = data.length;
    expect(await read(own, `?limit=${limit}`)).not.toHaveProperty('cursor');
    expect(await read(own, `?limit=${limit - 1 || 1}`)).toHaveProperty(limit > 1 ? 'cursor' : 'data');
    expect((await read(own, '?cursor=1')).data).toEqual([]);
  });

  it.each(['0', '-1', '01', '1e3', 'abc', '9'.repeat(16), '1 OR 1=1'])('refuses the cursor %s', async (cursor) => {
    const query = `?cursor=${encodeURIComponent(cursor)}`;
    const { body } = await world.owner.get<{ payload: object }>(pathOf(world, query), { expect: 400 });
    expect(body.payload).toMatchObject({ fields: [{ field: 'cursor' }] });
  });

  it('can be filtered by environment, action, or both', async () => {
    const own = await World.create(test);
    const { sandbox, live } = own.ids.environments;
    await push(own, 2);
    await own.mint([], live);
    await own.owner.put(`/projects/${own.ids.projectId}`, { name: 'Renamed' }, { expect: 200 });
    const actions = async (query: string) => (await read(own, query)).data.map(({ action }) => action);
    expect(await actions(`?environmentId=${live}`)).toEqual(['apiToken.created']);
    expect(await actions('?action=button.pushed')).toEqual(['button.pushed', 'button.pushed']);
    expect(await actions(`?environmentId=${sandbox}&action=button.pushed`)).toHaveLength(2);
    expect(await actions(`?environmentId=${live}&action=button.pushed`)).toEqual([]);
    expect(await actions('?action=unknown')).toEqual([]);
    expect(await actions('?action=&cursor=')).toEqual(await actions(''));
    expect(await actions(`?environmentId=${world.environmentId}`)).toEqual([]);
    await own.owner.get(pathOf(own, '?environmentId=x'), { expect: 400 });
    await own.owner.get(pathOf(own, `?action=${'x'.repeat(101)}`), { expect: 400 });
  });

  it('is for owners and admins of the organization', async () => {
    const tenant = await Tenant.create(test);
    const path = pathOf(tenant.world);
    for (const [role, status] of [
      ['owner', 200],
      ['admin', 200],
      ['developer', 403],
      ['viewer', 403],
    ] as const) {
      const { token } = await tenant.addMember(role);
      await tenant.world.anonymous.withToken(token).get(path, { expect: status });
    }
    await tenant.world.api.get(path, { expect: 403 });
    await world.owner.get(path, { expect: 404 });
    await tenant.close();
  });

  describe('of users and their wallets', () => {
    const user = () => ({ email: newEmail() });
    const embedded = () => ({ identifier: newEmail(), type: 'email', chains: ['EVM'] });
    type Made = { user: { id: string } };

    it('has what a member created and changed by hand, by id only', async () => {
      const own = await World.create(test);
      const made = await own.owner.post<Made>(own.path('/users'), user(), { expect: 201 });
      await own.owner.put(own.path(`/users/${made.body.user.id}`), { alias: 'secret alias' }, { expect: 200 });
      await own.owner.post(own.path('/users/bulk'), [user()], { expect: 201 });
      const wallet = await own.owner.post<Made>(own.path('/embeddedWallets'), embedded(), { expect: 201 });
      const records = (await read(own, '?limit=100')).data;
      const of = (action: string) => records.filter((record) => record.action === action);
      expect([of('user.created').length, of('user.updated').length, of('wallet.created').length]).toEqual([3, 1, 1]);
      expect(of('user.created').map(({ resource }) => resource.id)).toContain(wallet.body.user.id);
      for (const record of [...of('user.created'), ...of('user.updated'), ...of('wallet.created')]) {
        expect(record.actor).toMatchObject({ kind: 'member', id: own.ids.ownerUserId, tokenId: expect.any(String) });
        expect(record.changes).toEqual([]);
      }
      expect(JSON.stringify(records)).not.toContain('secret alias');
    });

    it('names in events the member or API token that caused them, and nobody for an end user', async () => {
      const own = await World.create(test);
      const byMember = await own.owner.post<Made>(own.path('/users'), user(), { expect: 201 });
      const byToken = await own.api.post<Made>(own.path('/users'), user(), { expect: 201 });
      const ofToken = await own.api.post<Made>(own.path('/embeddedWallets'), embedded(), { expect: 201 });
      const person = await own.signIn(newEmail());
      await own.anonymous.put(own.sdk('/users'), { alias: 'mine' }, { token: person.jwt, expect: 200 });
      interface Told {
        eventName: string;
        data: { id: string; userId?: string };
        context: { userId?: string; actor?: { kind: string; id?: string; tokenId?: string } };
      }
      const { data } = (await own.api.get<{ data: Told[] }>(own.path('/events'), { expect: 200 })).body;
      const actorOf = (name: string, id: string) =>
        data.find(({ eventName, data: told }) => eventName === name && (told.userId ?? told.id) === id)!.context;
      const member = { kind: 'member', id: own.ids.ownerUserId, tokenId: expect.any(String) };
      expect(actorOf('user.created', byMember.body.user.id).actor).toEqual(member);
      const token = { kind: 'apiToken', id: expect.any(String) };
      expect(actorOf('user.created', byToken.body.user.id).actor).toEqual(token);
      expect(actorOf('user.created', ofToken.body.user.id).actor).toEqual(token);
      expect(actorOf('wallet.created', ofToken.body.user.id).actor).toEqual(token);
      for (const name of ['user.created', 'user.updated']) {
        const context = actorOf(name, person.userId);
        expect([context.userId, context.actor]).toEqual([person.userId, undefined]);
      }
      const actions = (await read(own, '?limit=100')).data.map(({ action }) => action);
      expect(actions.filter((action) => action === 'user.created')).toHaveLength(1);
      expect(actions).not.toContain('wallet.created');
    });
  });

  describe(`with ${MANY} records`, () => {
    let large: World;
    let client: pg.Client;

    beforeAll(async () => {
      large = await World.create(test);
      client = new pg.Client({ connectionString: test.databaseUrl });
      await client.connect();
      await client.query(
        `INSERT INTO audit_records SELECT $1, s, gen_random_uuid(), now(), '{"kind":"service"}',
           CASE WHEN s % 1000 = 0 THEN 'rare.thing' ELSE 'common.thing' END, 'thing', s::text,
           CASE WHEN s % 500 = 0 THEN $2::uuid ELSE $3::uuid END, '[]', '\\x00', '\\x00'
         FROM generate_series(1000, $4::int + 1000) AS s`,
        [large.ids.organizationId, large.ids.environments.live, large.environmentId, MANY],
      );
      await client.query('ANALYZE audit_records');
    }, 120_000);
    afterAll(() => client.end());

    it.each([
      ['', 'audit_records_pkey'],
      ['&action=rare.thing', 'audit_records_of_action'],
      ['&environmentId=live', 'audit_records_of_environment'],
      ['&environmentId=live&action=rare.thing', 'audit_records_of_environment_action'],
    ])('a page (%s) is one statement that walks the index %s alone', async (filters, index) => {
      const query = filters.replace('=live', `=${large.ids.environments.live}`);
      const asked = await countStatements(() => read(large, `?limit=50${query}`));
      expect(asked.result.data).toHaveLength(50);
      const sent = asked.sent.filter(({ text }) => text.includes('audit_'));
      expect(sent).toHaveLength(1);
      const plan = await explain(sent[0]!);
      expect(plan['Node Type']).toBe('Limit');
      const [scan] = plan['Plans'] as Record<string, unknown>[];
      expect(scan).toMatchObject({ 'Node Type': 'Index Scan', 'Scan Direction': 'Backward', 'Index Name': index });
      expect(scan).not.toHaveProperty('Rows Removed by Filter');
    });

    async function explain({ text, values }: SentStatement): Promise<Record<string, unknown>> {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, unknown> }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        [...values],
      );
      return rows[0]!['QUERY PLAN'][0].Plan;
    }
  });
});
