import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/database/index.js';
import { Memberships } from '../../src/organizations/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import type { TestClient } from '../support/client.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { World, newEmail } from '../support/world.js';

interface Answer {
  organization: { id: string; name: string; description?: string; websiteUrl?: string; address?: object };
}
interface Refusal {
  code: string;
  payload?: { fields: { field: string }[] };
}

describe('organizations', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  const found = async (world: World, body: object): Promise<Answer['organization']> =>
    (await world.owner.post<Answer>('/organizations', body, { expect: 200 })).body.organization;
  const refuse = async (world: World, body: object, status: number): Promise<Refusal> =>
    (await world.owner.post<Refusal>('/organizations', body, { expect: status })).body;
  const count = async (world: World): Promise<number> =>
    (await world.owner.get<{ organizations: unknown[] }>('/organizations', { expect: 200 })).body.organizations.length;
  const join = (world: World, count: number, name = 'of somebody') =>
    rowsOf(
      test,
      `WITH o AS (INSERT INTO organizations (id, name) SELECT gen_random_uuid(), $3 FROM generate_series(1, $2::int) RETURNING id)
       INSERT INTO members (organization_id, id, user_id, role) SELECT o.id, gen_random_uuid(), $1, 'viewer' FROM o`,
      [world.ids.ownerUserId, count, name],
    );

  describe('of a deployment that is closed', () => {
    let closed: TestApp;
    beforeAll(async () => {
      closed = await startTestApp({ env: { ROLE: 'api', ORGANIZATIONS: 'closed' } });
    });
    afterAll(() => closed.close());

    it('are founded by its operator alone', async () => {
      // The operator's command makes the first one; its owner makes no second one.
      const world = await World.create(closed);
      const { body } = await world.owner.post<Refusal>('/organizations', { name: 'Another' }, { expect: 422 });
      expect(body.code).toBe('organizations_closed');
      expect(await count(world)).toBe(1);
    });
  });

  describe('that one client founds in an hour, and what it makes in them', () => {
    let limited: TestApp;
    let world: World;
    let session: TestClient;
    beforeAll(async () => {
      limited = await startTestApp({ env: { ROLE: 'api', RATE_LIMIT_SCALE: '1', TRUST_PROXY: '127.0.0.1/32' } });
      world = await World.create(limited);
      session = await world.ownerSession();
    });
    afterAll(() => limited.close());

    /** How many there are, whatever refused requests left behind. */
    const countOf = async (sql: string, values: unknown[]): Promise<number> =>
      (await rowsOf<{ count: number }>(limited, `SELECT count(*)::int AS count FROM ${sql}`, values))[0]!.count;

    interface Made {
      most: number;
      /** The nth of its kind, asked for by a client at this address. */
      make: (n: number, address: string) => Promise<{ status: number; headers: Headers; body: Refusal }>;
      count: () => Promise<number>;
      /** The events that tell of them. */
      events: string[];
    }
    const post = (path: string, body: object, address: string) =>
      session.post<Refusal>(path, body, { headers: { 'x-forwarded-for': address } });

    it.each<[string, Made]>([
      [
        'ten organizations',
        {
          most: 10,
          make: (n, address) => post('/organizations', { name: `Number ${n}` }, address),
          count: () => countOf('members WHERE user_id = $1', [world.ids.ownerUserId]),
          events: ['organization.created'],
        },
      ],
      [
        'twenty projects',
        {
          most: 20,
          make: (n, address) =>
            post(`/organizations/${world.ids.organizationId}/projects`, { name: `Number ${n}` }, address),
          count: () => countOf('projects WHERE organization_id = $1', [world.ids.organizationId]),
          events: ['project.created'],
        },
      ],
      [
        'sixty tokens, of environments and of persons together',
        {
          most: 60,
          make: (n, address) =>
            n % 2
              ? post('/user/tokens', { note: `Number ${n}` }, address)
              : post(
                  `/environments/${world.ids.environments.live}/tokens`,
                  { note: `Number ${n}`, scopes: ['environment.users.read'] },
                  address,
                ),
          count: async () =>
            (await countOf('api_tokens WHERE environment_id = $1', [world.ids.environments.live])) +
            (await countOf('personal_tokens WHERE user_id = $1', [world.ids.ownerUserId])),
          events: ['apiToken.created', 'personalToken.created'],
        },
      ],
    ])(
      'are %s: of fifty more at once no more than that are made, and the rest writes nothing',
      async (_name, { most, make, count, events }) => {
        const { consoleEnvironmentId, environments } = world.ids;
        const told = () =>
          countOf('events WHERE environment_id = ANY ($1) AND name = ANY ($2)', [
            [consoleEnvironmentId, environments.live],
            events,
          ]);
        const [before, toldBefore] = [await count(), await told()];
        const address = '203.0.113.7';
        const first: number[] = [];
        for (let n = 0; n < most - 5; n += 1) first.push((await make(n, address)).status);
        expect(first.filter((status) => status >= 300)).toEqual([]);

        const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => make(most + n, address)));
        expect(answers.filter(({ status }) => status < 300)).toHaveLength(5);
        const refused = answers.filter(({ status }) => status >= 300);
        expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
          new Set(['429 too_many_requests']),
        );
        for (const { headers } of refused) {
          expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
          expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
        }
        expect([await count(), await told()]).toEqual([before + most, toldBefore + most]);
        // Whoever else is at work is not in their way.
        expect((await make(most + 50, '203.0.113.8')).status).toBeLessThan(300);
      },
      120_000,
    );
  });

  describe('are founded', () => {
    it('by anybody who signed in to the console, who owns them from then on', async () => {
      const world = await World.create(test);
      const environmentId = world.ids.consoleEnvironmentId;
      const { jwt, userId } = await world.signIn(newEmail(), { environmentId });
      const client = world.anonymous.withToken(jwt);
      const request = {
        name: 'Initech',
        description: 'Software',
        websiteUrl: 'https://initech.example',
        implementationTimeline: 'nextTwoWeeks',
      };
      const { body } = await client.post<Answer>('/organizations', request, { expect: 200 });
      const { id } = body.organization;
      const { name, description, websiteUrl } = request;
      expect(body.organization).toEqual({ id, name, description, websiteUrl });
      const listed = await client.get<{ organizations: object[] }>('/organizations', { expect: 200 });
      expect(listed.body.organizations).toEqual([{ id, name, description, websiteUrl, role: 'owner' }]);
      expect(await rowsOf(test, 'SELECT implementation_timeline FROM organizations WHERE id = $1', [id])).toEqual([
        { implementation_timeline: 'nextTwoWeeks' },
      ]);
      const told = await auditOf(test, id);
      expect(told.map(({ action, actor }) => [action, actor])).toEqual([
        ['organization.created', { kind: 'member', id: userId }],
        ['member.added', { kind: 'member', id: userId }],
      ]);
      expect(told[1]?.changes).toMatchObject({ userId: [null, userId], role: [null, 'owner'] });
      expect((await eventsOf(test, environmentId, id)).map((event) => event.data)).toEqual([
        { id, name, description, websiteUrl, organizationId: id },
      ]);
    });

    it.each([
      [{ name: '' }, 'name'],
      [{ name: 'a'.repeat(256) }, 'name'],
      [{ description: 'no name' }, 'name'],
      [{ name: 'a', description: '' }, 'description'],
      [{ name: 'a', description: 'a'.repeat(256) }, 'description'],
      [{ name: 'a', websiteUrl: '' }, 'websiteUrl'],
      [{ name: 'a', websiteUrl: 'javascript:alert(1)' }, 'websiteUrl'],
      [{ name: 'a', implementationTimeline: 'never' }, 'implementationTimeline'],
      [{ name: 'a', role: 'owner' }, 'role'],
    ])('not by %j', async (body, field) => {
      const world = await World.create(test);
      const refusal = await refuse(world, body, 400);
      expect(refusal.payload?.fields.map((each) => each.field)).toContain(field);
      expect(await count(world)).toBe(1);
    });

    it('up to every limit of their fields', async () => {
      const world = await World.create(test);
      const site = `https://example.com/${'a'.repeat(235)}`;
      await found(world, { name: 'a'.repeat(255), description: 'a'.repeat(255), websiteUrl: site });
      await found(world, { name: 'a', description: 'a' });
      expect(site).toHaveLength(255);
    });

    it('under a name of their own among those of their founder, while others may use it', async () => {
      const [one, other] = [await World.create(test), await World.create(test)];
      await found(one, { name: 'Twins' });
      expect((await refuse(one, { name: 'Twins' }, 422)).code).toBe('organization_name_already_exists');
      await found(one, { name: 'twins' });
      await found(other, { name: 'Twins' });
    });

    it('once, when 50 requests ask for one name at once', async () => {
      const world = await World.create(test);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => world.owner.post<Refusal>('/organizations', { name: 'Highlander' })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
      expect(new Set(others)).toEqual(new Set(['organization_name_already_exists']));
    });

    it('50 at most by a person, those that they only joined included, also when 20 are asked for at once', async () => {
      const world = await World.create(test);
      await join(world, 39);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => world.owner.post<Refusal>('/organizations', { name: `Number ${at}` })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
      const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
      expect(new Set(others)).toEqual(new Set(['too_many_organizations_for_user']));
      expect(await count(world)).toBe(50);
    });
  });

  describe('change', () => {
    it('in what is given: the rest stays, and an empty text removes', async () => {
      const { owner, ids } = await World.create(test);
      const path = `/organizations/${ids.organizationId}`;
      const put = async (body: object) => (await owner.put<Answer>(path, body, { expect: 200 })).body.organization;
      const site = 'https://example.com';
      expect(await put({ name: 'One', description: 'first', websiteUrl: site })).toEqual({
        ...{ id: ids.organizationId, name: 'One', description: 'first', websiteUrl: site },
      });
      expect(await put({ name: 'Two' })).toMatchObject({ name: 'Two', description: 'first', websiteUrl: site });
      expect(await put({ name: 'Two', description: '', websiteUrl: '' })).toEqual({
        id: ids.organizationId,
        name: 'Two',
      });
      await owner.put(path, {}, { expect: 400 });
      await owner.put(path, { name: 'Two', websiteUrl: 'data:text/html,x' }, { expect: 400 });
      const told = await auditOf(test, ids.organizationId, { action: 'organization.updated' });
      expect(told.map(({ changes }) => changes)).toEqual([
        { name: [expect.any(String), 'One'], description: [null, 'first'], websiteUrl: [null, site] },
        { name: ['One', 'Two'] },
        { description: ['first', null], websiteUrl: [site, null] },
      ]);
    });

    it('in their address as a whole', async () => {
      const { owner, ids } = await World.create(test);
      const path = `/organizations/${ids.organizationId}/address`;
      const address = { addressLine1: 'Main Street 1', city: 'Zug', country: 'CH' };
      const { body } = await owner.put<Answer>(path, address, { expect: 200 });
      expect(body.organization.address).toEqual(address);
      await owner.put(path, { city: 'Zürich' }, { expect: 200 });
      const read = await owner.get<{ address: object }>(`/organizations/${ids.organizationId}`, { expect: 200 });
      expect(read.body.address).toEqual({ city: 'Zürich' });
      expect((await lastAudit(test, ids.organizationId, 'organization.updated')).changes).toEqual({
        'address.addressLine1': ['Main Street 1', null],
        'address.city': ['Zug', 'Zürich'],
        'address.country': ['CH', null],
      });
      const told = (await eventsOf(test, ids.consoleEnvironmentId, ids.organizationId)).at(-1);
      expect(told).toMatchObject({ name: 'organization.updated', data: { address: { city: 'Zürich' } } });
    });

    it.each([
      ['addressLine1', 255],
      ['addressLine2', 255],
      ['city', 50],
      ['region', 50],
      ['postalCode', 50],
    ])('not in an address whose %s exceeds %i characters', async (field, max) => {
      const { owner, ids } = await World.create(test);
      const path = `/organizations/${ids.organizationId}/address`;
      await owner.put(path, { [field]: 'a'.repeat(max) }, { expect: 200 });
      await owner.put(path, { [field]: 'a'.repeat(max + 1) }, { expect: 400 });
    });

    it.each(['C', 'CHE', '12', 'C1', ''])('not into the country %j', async (country) => {
      const { owner, ids } = await World.create(test);
      await owner.put(`/organizations/${ids.organizationId}/address`, { country }, { expect: 400 });
    });

    it('not into a name that another organization of the caller has', async () => {
      const world = await World.create(test);
      const { id } = await found(world, { name: 'Second' });
      const path = `/organizations/${id}`;
      await world.owner.put(path, { name: 'Second', description: 'same name' }, { expect: 200 });
      const { body: mine } = await world.owner.get<{ name: string }>(`/organizations/${world.ids.organizationId}`);
      const { body } = await world.owner.put<Refusal>(path, { name: mine.name }, { expect: 422 });
      expect(body.code).toBe('organization_name_already_exists');
    });

    it('one after the other when 50 changes come at once: none is lost', async () => {
      const { owner, ids } = await World.create(test);
      const path = `/organizations/${ids.organizationId}`;
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          at % 2
            ? owner.put(path, { name: `Name ${at}` }, { expect: 200 })
            : owner.put(`${path}/address`, { city: `City ${at}` }, { expect: 200 }),
        ),
      );
      const told = await auditOf(test, ids.organizationId, { action: 'organization.updated' });
      for (const field of ['name', 'address.city']) {
        const changes = told.flatMap((record) => (record.changes[field] ? [record.changes[field]] : []));
        expect(changes).toHaveLength(25);
        changes.slice(1).forEach(([before], at) => expect(before).toBe(changes[at]?.[1]));
      }
    });
  });

  describe('let the caller reach environments', () => {
    it('of all their projects, in one statement, and of no others', async () => {
      const world = await World.create(test);
      const { live, sandbox } = world.ids.environments;
      const ids = async () => (await world.owner.get<string[]>('/membershipEnvironmentIds', { expect: 200 })).body;
      expect(await ids()).toEqual([live, sandbox].sort());
      const { sent } = await countStatements(ids, ids);
      expect(sent.map(({ name }) => name)).toEqual(['organizations.listEnvironmentsOfUser']);
      const other = await World.create(test);
      await rowsOf(
        test,
        "INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'viewer')",
        [other.ids.organizationId, world.ids.ownerUserId],
      );
      const theirs = other.ids.environments;
      expect(await ids()).toEqual([live, sandbox, theirs.live, theirs.sandbox].sort());
    });

    it('by an index from their memberships, whoever else there is', async () => {
      const world = await World.create(test);
      await fillRows(
        test,
        `WITH o AS (INSERT INTO organizations (id, name) SELECT gen_random_uuid(), 'many' FROM generate_series(1, 100) RETURNING id),
           p AS (INSERT INTO projects (organization_id, id, name) SELECT o.id, gen_random_uuid(), 'Number ' || n FROM o, generate_series(1, 50) n RETURNING id, organization_id),
           e AS (INSERT INTO environments (id, organization_id, project_id, kind) SELECT gen_random_uuid(), p.organization_id, p.id, kind FROM p, unnest(ARRAY['sandbox', 'live']) kind)
         INSERT INTO members (organization_id, id, user_id, role)
         SELECT o.id, gen_random_uuid(), gen_random_uuid(), 'viewer' FROM o, generate_series(1, 200)`,
      );
      await rowsOf(test, 'ANALYZE members, projects, environments');
      const plan = await rowsOf<{ 'QUERY PLAN': string }>(
        test,
        `EXPLAIN SELECT e.id FROM members m JOIN projects p ON p.organization_id = m.organization_id
           AND p.deleted_at IS NULL JOIN environments e ON e.project_id = p.id WHERE m.user_id = $1 ORDER BY e.id`,
        [world.ids.ownerUserId],
      );
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      for (const index of ['members_once', 'projects_name', 'environments_of_project']) expect(text).toContain(index);
    });
  });

  it('take 1000 members and no more, also when 20 join at once', async () => {
    const { ids } = await World.create(test);
    const { organizationId } = ids;
    await rowsOf(
      test,
      `INSERT INTO members (organization_id, id, user_id, role)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), 'viewer' FROM generate_series(1, 989)`,
      [organizationId],
    );
    const work = test.app.get(UnitOfWork);
    const memberships = test.app.get(Memberships);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        work.run((tx) =>
          memberships.join(organizationId, { userId: crypto.randomUUID(), role: 'viewer' }, { kind: 'service' }, tx),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const codes = results.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Refusal).code] : []));
    expect(new Set(codes)).toEqual(new Set(['too_many_members']));
  });

  it('that have no owner get one, of 20 people who are appointed at once, and nobody who may not join', async () => {
    const world = await World.create(test);
    const { organizationId, ownerUserId, consoleEnvironmentId } = world.ids;
    const service = { kind: 'service' } as const;
    const appoint = (userId: string) =>
      test.app.get(UnitOfWork).run((tx) => test.app.get(Memberships).adopt(organizationId, userId, service, tx));
    const people = await rowsOf<{ id: string }>(
      test,
      'INSERT INTO users (environment_id, id) SELECT $1, gen_random_uuid() FROM generate_series(1, 21) RETURNING id',
      [consoleEnvironmentId],
    );
    const ids = people.map(({ id }) => id);
    expect(await appoint(ids[0]!)).toBe(false);
    await rowsOf(test, 'DELETE FROM members WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      ownerUserId,
    ]);
    await rowsOf(
      test,
      `WITH o AS (INSERT INTO organizations (id, name) SELECT gen_random_uuid(), 'full' FROM generate_series(1, 50) RETURNING id)
       INSERT INTO members (organization_id, id, user_id, role) SELECT o.id, gen_random_uuid(), $1, 'viewer' FROM o`,
      [ids[20]],
    );
    await expect(appoint(ids[20]!)).rejects.toMatchObject({ code: 'too_many_organizations_for_user' });
    await expect(appoint(crypto.randomUUID())).rejects.toMatchObject({ status: 401 });
    const appointed = await Promise.all(ids.slice(0, 20).map(appoint));
    expect(appointed.filter(Boolean)).toHaveLength(1);
    const owners = await rowsOf(test, 'SELECT user_id AS id, role FROM members WHERE organization_id = $1', [
      organizationId,
    ]);
    expect(owners).toEqual([{ id: ids[appointed.indexOf(true)], role: 'owner' }]);
  });
});
