import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { EnvironmentRows } from '../../src/database/index.js';
import { EnvironmentsPurge } from '../../src/organizations/environments/environments-purge.job.js';
import { DevInbox } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { TestClient } from '../support/client.js';
import { waitingForMe } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, fillRows, rowsOf } from '../support/rows.js';
import { World, newEmail } from '../support/world.js';

interface Created {
  project: {
    id: string;
    name: string;
    organizationId: string;
    projectEnvironments: { id: string; environmentName: string }[];
  };
}
interface Refusal {
  code: string;
}

describe('projects', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  const listPath = ({ ids }: World): string => `/organizations/${ids.organizationId}/projects`;
  const create = async (world: World, name: string): Promise<Created['project']> =>
    (await world.owner.post<Created>(listPath(world), { name }, { expect: 200 })).body.project;
  const names = async (world: World): Promise<string[]> =>
    (await world.owner.get<{ projects: { name: string }[] }>(listPath(world), { expect: 200 })).body.projects.map(
      ({ name }) => name,
    );

  describe('are created', () => {
    it('with two environments that people can sign in to at once, a record and an event', async () => {
      const world = await World.create(test);
      const project = await create(world, 'Second');
      expect(project).toMatchObject({ name: 'Second', organizationId: world.ids.organizationId });
      expect(project.projectEnvironments.map(({ environmentName }) => environmentName)).toEqual(['live', 'sandbox']);
      const read = await world.owner.get(`/projects/${project.id}`, { expect: 200 });
      expect(read.body).toEqual(project);
      for (const { id } of project.projectEnvironments) {
        const email = newEmail();
        await world.signIn(email, { environmentId: id });
        const mails = test.app.get(DevInbox).entries.filter(({ to }) => to === email);
        expect(mails.map(({ subject }) => subject)).toEqual([
          expect.stringMatching(/^\d{6} is your code for Second\b/),
        ]);
      }
      expect(await lastAudit(test, world.ids.organizationId, 'project.created')).toMatchObject({
        actor: { kind: 'member', id: world.ids.ownerUserId },
        resourceType: 'project',
        resourceId: project.id,
        changes: { name: [null, 'Second'] },
      });
      expect(await eventsOf(test, world.ids.consoleEnvironmentId, project.id)).toMatchObject([
        { name: 'project.created', data: { id: project.id, name: 'Second' } },
      ]);
    });

    it('once under a name, when 20 requests ask for it at once', async () => {
      const world = await World.create(test);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => world.owner.post<Refusal>(listPath(world), { name: 'Only one' })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const codes = answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.code]);
      expect(codes.filter(([, code]) => code !== 'project_name_already_exists' && code !== 'lock_timeout')).toEqual([]);
    });

    it('50 at most in an organization, also when 10 are asked for at once', async () => {
      const world = await World.create(test);
      await rowsOf(
        test,
        `INSERT INTO projects (organization_id, id, name)
         SELECT $1, gen_random_uuid(), 'Filler ' || n FROM generate_series(1, 44) n`,
        [world.ids.organizationId],
      );
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) => world.owner.post<Refusal>(listPath(world), { name: `Number ${at}` })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
      expect(new Set(codes)).toEqual(new Set(['too_many_projects_for_organization']));
      expect(await names(world)).toHaveLength(50);
      const { body } = await world.owner.post<Refusal>(listPath(world), { name: 'One more' }, { expect: 422 });
      expect(body.code).toBe('too_many_projects_for_organization');
    });

    it('50 at most, also when another instance is making the last one', async () => {
      const world = await World.create(test);
      const { organizationId } = world.ids;
      const fill = `INSERT INTO projects (organization_id, id, name)
        SELECT $1, gen_random_uuid(), 'Filler ' || n FROM generate_series($2::int, $3::int) n`;
      await rowsOf(test, fill, [organizationId, 1, 48]);
      const { status, body } = await withClient(test.databaseUrl, async (client) => {
        await client.query('BEGIN');
        await client.query('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
        await client.query(fill, [organizationId, 49, 49]);
        let isAnswered = false;
        const call = world.owner.post<Refusal>(listPath(world), { name: 'Late' }).finally(() => (isAnswered = true));
        const waits = async () => isAnswered || (await waitingForMe(client, 'organizations')) > 0;
        await eventually('the call waits for the organization', waits);
        await client.query('COMMIT');
        return call;
      });
      expect([status, body.code]).toEqual([422, 'too_many_projects_for_organization']);
    });

    it('with names of 1 to 255 characters', async () => {
      const world = await World.create(test);
      for (const length of [1, 255]) await create(world, 'a'.repeat(length));
      for (const length of [0, 256]) {
        await world.owner.post(listPath(world), { name: 'a'.repeat(length) }, { expect: 400 });
      }
    });
  });

  it.each(['created', 'deleted'])('are not %s in a call by a former admin', async (what) => {
    const world = await World.create(test);
    const { organizationId, consoleEnvironmentId } = world.ids;
    const { id } = await create(world, 'Second');
    const email = newEmail();
    const { userId, jwt } = await world.signIn(email, { environmentId: consoleEnvironmentId });
    await rowsOf(
      test,
      "INSERT INTO members (organization_id, id, user_id, role) VALUES ($1, gen_random_uuid(), $2, 'admin')",
      [organizationId, userId],
    );
    const admin = new TestClient(test.url, jwt);
    const answered = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
      await client.query("UPDATE members SET role = 'viewer' WHERE organization_id = $1 AND user_id = $2", [
        organizationId,
        userId,
      ]);
      const call =
        what === 'created'
          ? admin.post<Refusal>(listPath(world), { name: 'Third' })
          : admin.delete<Refusal>(`/projects/${id}`);
      await eventually(
        'the call waits for the organization',
        async () => (await waitingForMe(client, 'organizations')) > 0,
      );
      await client.query('COMMIT');
      return call;
    });
    expect(answered).toMatchObject({ status: 403, body: { code: 'role_withdrawn' } });
    expect(await names(world)).toHaveLength(2);
  });

  it('show both environments with their settings, to every member, without secrets', async () => {
    const world = await World.create(test);
    const { projectId, environments } = world.ids;
    const canary = 'canary-captcha-secret';
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(settings, '{security,captcha}', $2) WHERE environment_id = $1`,
      [environments.live, JSON.stringify({ enabled: true, siteKey: 'shown', secretKey: canary })],
    );
    const { body } = await world.owner.get<{
      environments: Record<'live' | 'sandbox', { id: string; settings: { security: object } }>;
    }>(`/projects/${projectId}/environments`, { expect: 200 });
    const { live, sandbox } = body.environments;
    expect([live.id, sandbox.id]).toEqual([environments.live, environments.sandbox]);
    expect(live.settings.security).toMatchObject({ captcha: { enabled: true, siteKey: 'shown' } });
    expect(JSON.stringify(body)).not.toContain(canary);
    const other = await World.create(test);
    await other.owner.get(`/projects/${projectId}/environments`, { expect: 404 });
  });

  describe('are deleted', () => {
    it('with a record and an event, and their name is free again', async () => {
      const world = await World.create(test);
      const project = await create(world, 'Doomed');
      const before = await names(world);
      await (await world.ownerSession()).delete(`/projects/${project.id}`, { expect: 204 });
      expect(await names(world)).toEqual(before.filter((name) => name !== 'Doomed'));
      await world.owner.get(`/projects/${project.id}`, { expect: 404 });
      await world.owner.put(`/projects/${project.id}`, { name: 'Undead' }, { expect: 404 });
      await (await world.ownerSession()).delete(`/projects/${project.id}`, { expect: 404 });
      expect(await lastAudit(test, world.ids.organizationId, 'project.deleted')).toMatchObject({
        resourceId: project.id,
        environmentId: null,
        changes: { name: ['Doomed', null] },
      });
      const told = (await eventsOf(test, world.ids.consoleEnvironmentId, project.id)).at(-1);
      expect(told).toMatchObject({ name: 'project.deleted', data: { name: 'Doomed' } });
      await create(world, 'Doomed');
    });

    it('but for the last one, also when all of five are deleted at once by ten each', async () => {
      const world = await World.create(test);
      const projects = [world.ids.projectId];
      for (let at = 0; at < 4; at += 1) projects.push((await create(world, `Number ${at}`)).id);
      const session = await world.ownerSession();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => session.delete<Refusal>(`/projects/${projects[at % 5]}`)),
      );
      expect(await names(world)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(4);
      const codes = answers.filter(({ status }) => status !== 204).map(({ body }) => body.code);
      expect(new Set(codes)).toEqual(new Set(['not_found', 'cannot_delete_last_project']));
      expect(await auditOf(test, world.ids.organizationId, { action: 'project.deleted' })).toHaveLength(4);
    });

    it('and take sessions and tokens of both environments with them, on every instance within a second', async () => {
      const { databaseUrl, masterKey } = test;
      const other = await startTestApp({ databaseUrl, masterKey, env: { ROLE: 'api' } });
      try {
        const world = await World.create(test);
        await create(world, 'Remaining');
        const user = await world.signIn(newEmail());
        const live = await world.mint(['environment.users.read'], world.ids.environments.live);
        const calls: [token: string | null, path: string][] = [
          [world.token, world.path('/users')],
          [live, `/environments/${world.ids.environments.live}/users`],
          [world.ownerToken, world.path('/users')],
          [user.jwt, world.sdk('/session')],
          [null, world.sdk('/.well-known/jwks')],
          [null, world.sdk('/healthcheck')],
        ];
        const ask = async ({ url }: TestApp): Promise<number[]> =>
          Promise.all(calls.map(async ([token, path]) => (await new TestClient(url, token).get(path)).status));
        for (let round = 0; round < 2; round += 1) {
          const known = (await Promise.all([ask(test), ask(other)])).flat();
          expect(known.filter((status) => status >= 300)).toEqual([]);
        }
        await (await world.ownerSession()).delete(`/projects/${world.ids.projectId}`, { expect: 204 });
        expect((await ask(test)).filter((status) => status < 400)).toEqual([]);
        // However long calls take: those that begin when the second is over are refused.
        const deadline = performance.now() + 2_000;
        for (let isOver = false; !isOver; await delay(20)) {
          const isLate = performance.now() > deadline;
          const admitted = (await ask(other)).filter((status) => status < 400);
          if (isLate) expect(admitted).toEqual([]);
          isOver = admitted.length === 0;
        }
        const write = await new TestClient(other.url).post(
          world.sdk('/emailVerifications/create'),
          { email: newEmail() },
          { expect: 404 },
        );
        expect(write.body).toMatchObject({ code: 'not_found' });
        const reach = await world.owner.get<string[]>('/membershipEnvironmentIds', { expect: 200 });
        expect(reach.body).toHaveLength(2);
      } finally {
        await other.close();
      }
    });

    it('and leave no row of their environments behind, in whichever table, while those of others stay', async () => {
      const [world, other] = [await World.create(test), await World.create(test)];
      await create(world, 'Remaining');
      const environmentIds = Object.values(world.ids.environments);
      for (const each of [world, other]) {
        await each.signIn(newEmail());
        const wallet = { identifier: newEmail(), type: 'email', chains: ['EVM'] };
        await each.api.post(each.path('/embeddedWallets'), wallet, { expect: 201 });
        const webhook = { url: 'https://hooks.example.com/a', isEnabled: true, events: ['user.created'] };
        await each.api.post(each.path('/webhooks'), webhook, { expect: 201 });
      }
      // More than a batch, and more than a run may remove.
      await fillRows(
        test,
        `INSERT INTO nonces (environment_id, nonce_hash, expires_at)
         SELECT $1, sha256(n::text::bytea), now() + interval '1 hour' FROM generate_series(1, 11000) n`,
        [world.environmentId],
      );
      const tables = await test.app.get(EnvironmentRows).tables();
      const named = tables.map(({ table }) => table);
      expect(named).toEqual(expect.arrayContaining(['sessions', 'credentials', 'wallets', 'webhook_deliveries']));
      expect(named.indexOf('webhook_deliveries')).toBeLessThan(named.indexOf('webhook_messages'));
      expect(named.indexOf('webhook_messages')).toBeLessThan(named.indexOf('webhooks'));
      // The trail outlives what it tells of.
      expect(named.filter((table) => table.startsWith('audit'))).toEqual([]);
      const rows = async (ids: string[]): Promise<[string, number][]> => {
        const counted: [string, number][] = [];
        for (const { table, column } of tables) {
          const sql = `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = ANY ($1::uuid[])`;
          counted.push([table, (await rowsOf<{ count: number }>(test, sql, [ids]))[0]!.count]);
        }
        return counted;
      };
      const filled = (await rows(environmentIds)).filter(([, count]) => count > 0).map(([table]) => table);
      expect(filled).toEqual(expect.arrayContaining(['events', 'users', 'wallet_seeds', 'webhooks', 'api_tokens']));
      // One that is being imported has no environments yet.
      const coming = "INSERT INTO projects (organization_id, id, name) VALUES ($1, gen_random_uuid(), 'Coming')";
      await rowsOf(test, coming, [other.ids.organizationId]);
      const others = Object.values(other.ids.environments);
      const untouched = await rows(others);

      await (await world.ownerSession()).delete(`/projects/${world.ids.projectId}`, { expect: 204 });
      const purge = test.app.get(EnvironmentsPurge);
      await purge.run();
      // Nothing goes while an instance may still know the environment.
      expect((await rows(environmentIds)).filter(([, count]) => count > 0).map(([table]) => table)).toEqual(filled);
      const sql = "UPDATE environments SET deleted_at = now() - interval '1 minute' WHERE id = ANY ($1::uuid[])";
      await rowsOf(test, sql, [environmentIds]);
      const runs: boolean[] = [];
      while (runs.at(-1) !== true && runs.length < 100) runs.push(await purge.run());
      expect(runs.length).toBeGreaterThan(1);
      expect((await rows(environmentIds)).filter(([, count]) => count > 0)).toEqual([]);
      const left = await rowsOf(test, 'SELECT id FROM environments WHERE id = ANY ($1::uuid[])', [environmentIds]);
      const project = await rowsOf(test, 'SELECT id FROM projects WHERE id = $1', [world.ids.projectId]);
      expect([left, project]).toEqual([[], []]);
      expect(await rows(others)).toEqual(untouched);
      expect(await names(other)).toContain('Coming');
    });
  });
});
