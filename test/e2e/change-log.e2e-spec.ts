import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { IntegerField, JsonField, StringField, UuidField } from '../../src/common/fields/index.js';
import { defineEvent, UnitOfWork, type Transaction } from '../../src/database/index.js';
import { ChangeLog, SERVICE, type Change } from '../../src/organizations/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { World } from '../support/world.js';

class Knob {
  @UuidField()
  id!: string;

  @StringField({ optional: true })
  name?: string;

  @StringField()
  text!: string;
}

class Turn {
  @IntegerField({ optional: true })
  value?: number;

  @StringField({ optional: true })
  name?: string;

  @StringField({ optional: true })
  apiKey?: string;

  @JsonField({ optional: true })
  inner?: Record<string, unknown>;
}

const TURNED = defineEvent('knob.turned', 'Only in this test.', { payload: Turn, ofOrganization: true });
const WRITTEN = defineEvent('knob.written', 'Only in this test.', { payload: Knob });

describe('the change log', () => {
  let test: TestApp;
  let changes: ChangeLog;
  let work: UnitOfWork;

  beforeAll(async () => {
    test = await sharedTestApp();
    changes = test.app.get(ChangeLog);
    work = test.app.get(UnitOfWork);
  });
  afterAll(() => test.close());

  const turn = (scope: Change['scope'], value: number, more: Partial<Change> = {}): Change => ({
    scope,
    actor: SERVICE,
    event: TURNED,
    resource: { type: 'knob', id: 'left' },
    before: { value: value - 1 },
    after: { value },
    ...more,
  });
  const record = (change: Change): Promise<void> => work.run((tx) => changes.record(change, tx));
  const headOf = (organizationId: string) =>
    rowsOf<{ sequence: string; hash: Buffer }>(test, 'SELECT * FROM audit_heads WHERE organization_id = $1', [
      organizationId,
    ]);

  it('writes a record and an event of the environment with the change', async () => {
    const { ids, environmentId } = await World.create(test);
    await record(turn({ environmentId }, 7));
    expect(await lastAudit(test, ids.organizationId, 'knob.turned')).toMatchObject({
      actor: { kind: 'service' },
      resourceType: 'knob',
      resourceId: 'left',
      environmentId,
      changes: { value: [6, 7] },
    });
    const told = (await eventsOf(test, environmentId)).filter(({ name }) => name === 'knob.turned');
    expect(told).toEqual([{ name: 'knob.turned', resourceId: null, userId: null, data: { value: 7 } }]);
  });

  it('publishes changes of an organization in the console environment, with the organization id', async () => {
    const { ids } = await World.create(test);
    const { organizationId, consoleEnvironmentId } = ids;
    await record(turn({ organizationId }, 7, { resource: { type: 'knob', id: organizationId } }));
    expect(await lastAudit(test, organizationId, 'knob.turned')).toMatchObject({ environmentId: null });
    const told = (await eventsOf(test, consoleEnvironmentId, organizationId)).at(-1);
    expect(told).toMatchObject({ name: 'knob.turned', data: { value: 7, organizationId } });
  });

  it('publishes changes of the console environment, which belongs to no organization, as events only', async () => {
    const { ids } = await World.create(test);
    const count = () => rowsOf<{ n: string }>(test, 'SELECT count(*) AS n FROM audit_records');
    const before = await count();
    const resource = { type: 'knob', id: ids.projectId };
    await record(turn({ environmentId: ids.consoleEnvironmentId }, 7, { resource }));
    expect(await count()).toEqual(before);
    const told = await eventsOf(test, ids.consoleEnvironmentId, ids.projectId);
    expect(told.filter(({ name }) => name === 'knob.turned')).toHaveLength(1);
  });

  it('keeps secrets out of records and events, even those a payload declares', async () => {
    const { ids, environmentId } = await World.create(test);
    const after = { name: 'a', apiKey: 'canary-key', inner: { clientSecret: 'canary-secret' } };
    await record(turn({ environmentId }, 0, { before: null, after }));
    const { changes: told } = await lastAudit(test, ids.organizationId, 'knob.turned');
    expect(told).toEqual({
      apiKey: ['[redacted]', '[redacted]'],
      'inner.clientSecret': ['[redacted]', '[redacted]'],
      name: [null, 'a'],
    });
    const events = (await eventsOf(test, environmentId)).filter(({ name }) => name === 'knob.turned');
    expect(events.map(({ data }) => data)).toEqual([{ name: 'a', inner: {} }]);
    expect(JSON.stringify([told, events])).not.toContain('canary');
  });

  it('publishes the declared fields of a record, and nothing for absent ones', async () => {
    const { environmentId } = await World.create(test);
    const after = { id: environmentId, name: null, inner: 'unknown to the payload', text: 'kept' };
    await record(turn({ environmentId }, 0, { event: WRITTEN, before: null, after }));
    const told = (await eventsOf(test, environmentId)).filter(({ name }) => name === 'knob.written');
    expect(told.map(({ data }) => data)).toEqual([{ id: environmentId, text: 'kept' }]);
  });

  it('discards what is rolled back, and refuses a change that would leave no trace', async () => {
    const { ids, environmentId } = await World.create(test);
    const before = await auditOf(test, ids.organizationId);
    const failing = work.run(async (tx) => {
      await changes.record(turn({ environmentId }, 1), tx);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    const gone = turn({ environmentId: '00000000-0000-4000-8000-000000000000' as never }, 1);
    await expect(record(gone)).rejects.toThrow('environment that is gone');
    expect(await auditOf(test, ids.organizationId)).toEqual(before);
    expect((await eventsOf(test, environmentId)).filter(({ name }) => name === 'knob.turned')).toEqual([]);
  });

  it('needs two statements for the records of a transaction and one for each event', async () => {
    const { environmentId, ids } = await World.create(test);
    const { organizationId } = ids;
    const one = await countStatements(() => record(turn({ environmentId }, 1)));
    expect(one.sent.map(({ name, text }) => name || text)).toEqual([
      ...['BEGIN', 'events.append0', 'audit.takeHeadOfEnvironment', 'audit.append', 'COMMIT'],
    ]);
    const three = await countStatements(() =>
      work.run(async (tx) => {
        for (const value of [1, 2, 3]) await changes.record(turn({ organizationId }, value), tx);
      }),
    );
    const names = three.sent.map(({ name, text }) => name || text);
    expect(names).toEqual([
      ...['BEGIN', 'events.append0', 'events.append0', 'events.append0', 'audit.takeHead', 'audit.append', 'COMMIT'],
    ]);
    const written = await auditOf(test, organizationId, { action: 'knob.turned' });
    expect(written.slice(-3).map((each) => each.changes['value'])).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('keeps one chain without gaps through 100 concurrent changes of an organization', async () => {
    const { ids, environmentId } = await World.create(test);
    const { organizationId } = ids;
    const scopes = [{ organizationId }, { environmentId }, { environmentId: ids.environments.live }];
    await Promise.all(Array.from({ length: 100 }, (_, at) => record(turn(scopes[at % 3]!, at))));
    const all = await auditOf(test, organizationId);
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, at) => at + 1));
    expect(all.filter(({ action }) => action === 'knob.turned')).toHaveLength(100);
    const links = await rowsOf<{ hash: Buffer; previous_hash: Buffer; occurred_at: Date }>(
      test,
      'SELECT hash, previous_hash, occurred_at FROM audit_records WHERE organization_id = $1 ORDER BY sequence',
      [organizationId],
    );
    links.slice(1).forEach((link, at) => expect(link.previous_hash).toEqual(links[at]!.hash));
    const times = links.map(({ occurred_at }) => occurred_at.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(await headOf(organizationId)).toMatchObject([{ sequence: String(all.length), hash: links.at(-1)!.hash }]);
  });

  it('locks the head last, so that 50 transactions that lock a row before and after do not deadlock', async () => {
    const { ids } = await World.create(test);
    const { organizationId, projectId } = ids;
    const touch = (tx: Transaction) =>
      tx.rows({ name: '', text: 'SELECT id FROM projects WHERE id = $1 FOR NO KEY UPDATE' } as never, [projectId]);
    const each = Array.from({ length: 50 }, (_, at) =>
      work.run(async (tx) => {
        if (at % 2) await touch(tx);
        await changes.record(turn({ organizationId }, at), tx);
        await touch(tx);
      }),
    );
    await expect(Promise.all(each)).resolves.toHaveLength(50);
  });

  it.each(["UPDATE audit_records SET action = 'x'", 'DELETE FROM audit_records', 'TRUNCATE audit_records'])(
    'is protected by the database: %s is refused',
    async (sql) => {
      const client = new pg.Client({ connectionString: test.databaseUrl });
      await client.connect();
      await expect(client.query(sql)).rejects.toThrow('audit records are never changed or removed');
      await client.end();
    },
  );

  it('keeps an organization that has records from being deleted', async () => {
    const { ids } = await World.create(test);
    await record(turn({ organizationId: ids.organizationId }, 1));
    await expect(rowsOf(test, 'DELETE FROM organizations WHERE id = $1', [ids.organizationId])).rejects.toThrow(
      'audit_heads_organization',
    );
  });

  describe('of the operations that there are', () => {
    it('records who renamed a project', async () => {
      const { ids, owner } = await World.create(test);
      await owner.put(`/projects/${ids.projectId}`, { name: 'Renamed' }, { expect: 200 });
      expect(await lastAudit(test, ids.organizationId, 'project.updated')).toMatchObject({
        actor: { kind: 'member', id: ids.ownerUserId, tokenId: expect.any(String) },
        resourceType: 'project',
        resourceId: ids.projectId,
        environmentId: null,
        changes: { name: [expect.stringMatching(/^Project/), 'Renamed'] },
      });
      const told = (await eventsOf(test, ids.consoleEnvironmentId, ids.projectId)).at(-1);
      expect(told?.data).toEqual({ id: ids.projectId, name: 'Renamed', organizationId: ids.organizationId });
    });

    it('records the names replaced by 50 concurrent renames, one after the other', async () => {
      const { ids, owner } = await World.create(test);
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          owner.put(`/projects/${ids.projectId}`, { name: `Name ${at}` }, { expect: 200 }),
        ),
      );
      const names = (await auditOf(test, ids.organizationId, { action: 'project.updated' })).map(
        (each) => each.changes['name'],
      );
      expect(names).toHaveLength(50);
      names.slice(1).forEach((name, at) => expect(name?.[0]).toBe(names[at]?.[1]));
    });

    it('records which token was created and removed by whom, never the token', async () => {
      const { ids, api, path } = await World.create(test).then((world) => ({
        ids: world.ids,
        api: world.api,
        path: world.path('/tokens'),
      }));
      const { body } = await api.post<{ token: { id: string; rawToken: string } }>(
        path,
        { note: 'ci', scopes: ['environment.users.read'] },
        { expect: 201 },
      );
      const { id, rawToken } = body.token;
      await api.delete(`${path}/${id}`, { expect: 204 });
      const [made, removed] = await auditOf(test, ids.organizationId, { resourceId: id });
      expect(made).toMatchObject({
        action: 'apiToken.created',
        actor: { kind: 'apiToken' },
        environmentId: ids.environments.sandbox,
        changes: { note: [null, 'ci'], scopes: [null, ['environment.users.read']] },
      });
      expect(removed).toMatchObject({ action: 'apiToken.deleted', changes: { note: ['ci', null] } });
      expect(JSON.stringify([made, removed])).not.toContain(rawToken);
    });

    it('publishes changes of personal tokens in the console environment only', async () => {
      const world = await World.create(test);
      const { ids, owner } = world;
      const session = await world.ownerSession();
      const { body } = await session.post<{ token: { id: string } }>('/user/tokens', { note: 'mine' }, { expect: 201 });
      await owner.delete(`/user/tokens/${body.token.id}`, { expect: 204 });
      const told = await eventsOf(test, ids.consoleEnvironmentId, body.token.id);
      expect(told.map(({ name }) => name)).toEqual(['personalToken.created', 'personalToken.deleted']);
      expect(await auditOf(test, ids.organizationId, { resourceId: body.token.id })).toEqual([]);
    });

    it('records how a webhook was created, changed and deleted, never its secret', async () => {
      const world = await World.create(test);
      const { organizationId } = world.ids;
      const url = 'https://hooks.example.com/a';
      const { body } = await world.api.post<{ webhookId: string; secret: string }>(
        world.path('/webhooks'),
        { url, isEnabled: true, events: ['user.created'] },
        { expect: 201 },
      );
      const one = world.path(`/webhooks/${body.webhookId}`);
      await world.owner.put(one, { url, isEnabled: false, events: ['user.created'] }, { expect: 200 });
      await world.owner.put(one, { url, isEnabled: true, events: [] }, { expect: 200 });
      await world.owner.delete(one, { expect: 204 });
      const told = await auditOf(test, organizationId, { resourceId: body.webhookId });
      expect(told.map(({ action }) => action)).toEqual([
        ...['webhook.created', 'webhook.updated', 'webhook.updated', 'webhook.deleted'],
      ]);
      expect(told[0]?.changes).toMatchObject({ url: [null, url], isEnabled: [null, true] });
      expect(told[1]?.changes).toEqual({ isEnabled: [true, false], enabledAt: [expect.any(String), null] });
      expect(told[2]?.changes).toMatchObject({ isEnabled: [false, true], events: [['user.created'], []] });
      expect(told[3]).toMatchObject({ actor: { kind: 'member' }, changes: { url: [url, null] } });
      const events = await eventsOf(test, world.environmentId, body.webhookId);
      expect(JSON.stringify([told, events])).not.toContain(body.secret);
    });
  });
});
