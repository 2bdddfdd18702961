import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { AuditVerifier } from '../../src/organizations/index.js';
import { SignInLinks } from '../../src/identity/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { TestClient } from '../support/client.js';
import { command } from '../support/operator.js';
import { run } from '../support/service-process.js';
import { World } from '../support/world.js';

describe('a link that the operator makes for a member', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  const secretOf = (url: string): string => new URL(url).hash.slice(1);
  const memberOf = ({ ids, ownerEmail }: World) => ({
    organizationId: ids.organizationId,
    userId: ids.ownerUserId,
    email: ownerEmail,
  });
  const made = async (of = world): Promise<string> =>
    secretOf((await test.app.get(SignInLinks).create(memberOf(of))).url);

  async function follow(secret: string): Promise<{ status: number; body: { jwt?: string; code?: string } }> {
    const answer = await fetch(`${test.url}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret }),
    });
    return { status: answer.status, body: (await answer.json()) as { jwt?: string; code?: string } };
  }

  it('signs them in once, as the owner that they are', async () => {
    const secret = await made();
    const { status, body } = await follow(secret);
    expect(status).toBe(200);
    expect(decodeJwt(body.jwt!)['amr']).toEqual(['link']);
    const own = await new TestClient(test.url, body.jwt).get<{ organizations: { id: string; role: string }[] }>(
      '/organizations',
      { expect: 200 },
    );
    expect(own.body.organizations).toMatchObject([{ id: world.ids.organizationId, role: 'owner' }]);
    expect(await follow(secret)).toMatchObject({ status: 422, body: { code: 'wrong_sign_in_link' } });
  });

  it('that a hundred follow at once signs one of them in', async () => {
    const secret = await made();
    const answers = await Promise.all(Array.from({ length: 100 }, () => follow(secret)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'wrong_sign_in_link')).toHaveLength(99);
  });

  it('ends with the ten minutes, with a newer one, and with the person', async () => {
    const late = await made();
    const rows = test.app.get(DataSource);
    const [{ seconds }] = await rows.query<[{ seconds: number }]>(
      'SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM sign_in_links WHERE user_id = $1',
      [world.ids.ownerUserId],
    );
    expect(seconds).toBeGreaterThan(9 * 60);
    expect(seconds).toBeLessThanOrEqual(10 * 60);
    await rows.query('UPDATE sign_in_links SET expires_at = now() WHERE user_id = $1', [world.ids.ownerUserId]);
    expect((await follow(late)).body.code).toBe('wrong_sign_in_link');

    const [older, newer] = [await made(), await made()];
    expect((await follow(older)).status).toBe(422);
    expect((await follow(newer)).status).toBe(200);
  });

  it('signs nobody in once its person has given up the address, whoever has it by then', async () => {
    const other = await World.create(test);
    const secret = await made(other);
    const { ownerUserId, consoleEnvironmentId: environmentId } = other.ids;
    const rows = test.app.get(DataSource);
    for (const table of ['credentials', 'identifier_claims']) {
      await rows.query(`DELETE FROM ${table} WHERE environment_id = $1 AND user_id = $2`, [environmentId, ownerUserId]);
    }
    const known = () => rows.query<object[]>('SELECT 1 FROM users WHERE email = $1', [other.ownerEmail]);
    const before = await known();
    expect(await follow(secret)).toMatchObject({ status: 422, body: { code: 'wrong_sign_in_link' } });
    expect(await known()).toEqual(before);
    const heir = await other.signIn(other.ownerEmail, { environmentId });
    expect(heir.userId).not.toBe(ownerUserId);
    expect(await follow(secret)).toMatchObject({ status: 422, body: { code: 'wrong_sign_in_link' } });
  });

  it('is stored as a hash alone, and leaves a trace in the trail of the organization', async () => {
    const other = await World.create(test);
    const secret = await made(other);
    expect(secret).toMatch(/^ghl_[\w-]{43}$/);
    const rows = test.app.get(DataSource);
    expect(JSON.stringify(await rows.query<object[]>('SELECT * FROM sign_in_links'))).not.toContain(secret);
    const { body } = await other.owner.get<{ data: { action: string; actor: { kind: string } }[] }>(
      `/organizations/${other.ids.organizationId}/audit`,
      { expect: 200 },
    );
    expect(body.data[0]).toMatchObject({ action: 'member.link.created' });
    expect(await test.app.get(AuditVerifier).verify(other.ids.organizationId)).not.toHaveProperty('broken');
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('refuses what is no link with a code and a hint', async () => {
    for (const body of ['{}', '{"secret":7}', '{"secret":""}', 'x']) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${test.url}/sign-in`, { method: 'POST', headers, body });
      expect([body, answer.status, await answer.json()]).toEqual([
        body,
        400,
        expect.objectContaining({ code: expect.any(String), hint: expect.any(String) }),
      ]);
    }
    expect((await follow(`ghl_${'x'.repeat(43)}`)).status).toBe(422);
  });

  it('is on a page that uses nothing up and keeps it out of logs, being behind the #', async () => {
    const { url } = await test.app.get(SignInLinks).create(memberOf(world));
    expect(new URL(url).pathname).toBe('/sign-in');
    const page = await fetch(`${test.url}/sign-in`);
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self';/);
    expect((await follow(secretOf(url))).status).toBe(200);
  });

  describe('by the command', () => {
    const cli = (...words: string[]) =>
      run(['node', 'scripts/run.js', 'cli', ...words], {
        NODE_ENV: 'production',
        PUBLIC_URL: 'https://auth.example.com',
        DATABASE_URL: test.databaseUrl,
        MASTER_KEY: test.masterKey,
      });

    it('is printed for a member, and for nobody else', async () => {
      const words = ['members', 'link', '--organization', world.ids.organizationId, '--email'];
      const printed = await cli(...words, world.ownerEmail.toUpperCase());
      const stranger = await command(test.app, ...words, 'nobody@example.com');
      expect(printed).toMatchObject({ code: 0, stderr: '' });
      const [, url = ''] = /^link +(https:\/\/auth\.example\.com\/sign-in#\S+)$/m.exec(printed.stdout) ?? [];
      expect((await follow(secretOf(url))).status).toBe(200);
      expect(stranger).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is not a member') });
    }, 120_000);

    it('comes with the first organization, while no mail can be sent', async () => {
      const email = 'first-owner@example.com';
      const words = ['organizations', 'create', '--name', 'First'];
      expect(await command(test.app, ...words)).toEqual({ code: 1, stdout: '', stderr: '--owner is missing.\n' });
      const printed = await command(test.app, ...words, '--owner', email);
      expect(printed).toMatchObject({ code: 0, stderr: '' });
      const [, url = ''] = /^link +(\S+)$/m.exec(printed.stdout) ?? [];
      const { body } = await follow(secretOf(url));
      const own = await new TestClient(test.url, body.jwt).get<{ organizations: object[] }>('/organizations');
      expect(own.body.organizations).toMatchObject([{ name: 'First', role: 'owner' }]);
    });
  });
});
