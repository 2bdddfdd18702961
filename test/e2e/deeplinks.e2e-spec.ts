import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

interface Deeplink {
  id: string;
  url: string;
  createdAt: string;
}

describe('deeplink addresses', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());

  const add = (world: World, url: string) =>
    world.owner.post<Deeplink & { code: string; hint: string }>(world.path('/deeplinkUrls'), { url });
  const list = async (world: World): Promise<string[]> => {
    const { body } = await world.api.get<{ deeplinkUrls: Deeplink[] }>(world.path('/deeplinkUrls'), { expect: 200 });
    return body.deeplinkUrls.map(({ url }) => url);
  };
  const codesOf = (answers: { status: number; body: { code: string } }[]) =>
    answers.map(({ status, body }) => (status === 201 ? 'added' : body.code));

  it('are added in normal form, listed in order of creation, and deleted', async () => {
    const world = await World.create(test);
    const { status, body } = await add(world, 'MyApp://callback');
    expect([status, body]).toEqual([
      201,
      { id: expect.any(String), url: 'myapp://callback', createdAt: expect.any(String) },
    ]);
    await add(world, 'https://app.example.com/*');
    expect(await list(world)).toEqual(['myapp://callback', 'https://app.example.com/*']);
    await world.api.delete(`/deeplinkUrls/${body.id}`, { expect: 204 });
    await world.api.delete(`/deeplinkUrls/${body.id}`, { expect: 404 });
    expect(await list(world)).toEqual(['https://app.example.com/*']);
  });

  it('leave an audit record and an event when created and deleted', async () => {
    const world = await World.create(test);
    const { id } = (await add(world, 'myapp://callback')).body;
    const { organizationId } = world.ids;
    expect(await lastAudit(test, organizationId, 'deeplinkUrl.created')).toMatchObject({
      actor: { kind: 'member', id: world.ids.ownerUserId },
      resourceType: 'deeplinkUrl',
      resourceId: id,
      environmentId: world.environmentId,
      changes: { url: [null, 'myapp://callback'] },
    });
    await world.api.delete(`/deeplinkUrls/${id}`, { expect: 204 });
    expect(await lastAudit(test, organizationId, 'deeplinkUrl.deleted')).toMatchObject({
      actor: { kind: 'apiToken' },
      changes: { url: ['myapp://callback', null] },
    });
    expect((await eventsOf(test, world.environmentId, id)).map(({ name, data }) => [name, data['url']])).toEqual([
      ['deeplinkUrl.created', 'myapp://callback'],
      ['deeplinkUrl.deleted', 'myapp://callback'],
    ]);
  });

  it.each([
    'javascript://callback/%0aalert(1)',
    'JAVASCRIPT://callback',
    'data://text/html,x',
    'vbscript://callback',
    'file:///etc/passwd',
    'https://*.vercel.app/return',
    'https://*/return',
    'http://app.example.com/return',
    `myapp://a/${'x'.repeat(2_039)}`,
  ])('refuse %s with a code, and write nothing', async (url) => {
    const world = await World.create(test);
    const { status, body } = await add(world, url);
    expect([status, body.code, body.hint]).toEqual([422, 'invalid_mobile_deeplink_urls', expect.any(String)]);
    expect(await list(world)).toEqual([]);
    expect(await auditOf(test, world.ids.organizationId, { action: 'deeplinkUrl.created' })).toEqual([]);
  });

  it.each(['', 'callback', 'myapp:callback', 'javascript:alert(1)', 'a://callback', 'myapp://*/*', '1app://callback'])(
    'refuse the text %p as invalid',
    async (url) => {
      const world = await World.create(test);
      const { status, body } = await add(world, url);
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    },
  );

  it('exist once, if the same is added 50 times concurrently', async () => {
    const world = await World.create(test);
    const codes = codesOf(await Promise.all(Array.from({ length: 50 }, () => add(world, 'myapp://callback'))));
    expect(codes.filter((code) => code === 'added')).toHaveLength(1);
    expect(codes.filter((code) => code === 'duplicate_exists')).toHaveLength(49);
    expect(await auditOf(test, world.ids.organizationId, { action: 'deeplinkUrl.created' })).toHaveLength(1);
  });

  it('are limited to 100, with 50 concurrent requests', async () => {
    const world = await World.create(test);
    await rowsOf(
      test,
      `INSERT INTO deeplink_urls (environment_id, id, url)
       SELECT $1, gen_random_uuid(), 'myapp://s' || n FROM generate_series(1, 98) n`,
      [world.environmentId],
    );
    const codes = codesOf(await Promise.all(Array.from({ length: 50 }, (_, n) => add(world, `other://${n}`))));
    expect(codes.filter((code) => code === 'added')).toHaveLength(2);
    expect(codes.filter((code) => code === 'too_many_deeplink_urls')).toHaveLength(48);
    expect(await list(world)).toHaveLength(100);
    // A wildcard instead of several addresses would be one that sign-in returns to for none of them.
    expect((await add(world, 'other://more')).body.hint).not.toContain('wildcard');
  });

  it('of others cannot be deleted', async () => {
    const [world, other] = [await World.create(test), await World.create(test)];
    const { id } = (await add(world, 'myapp://callback')).body;
    await other.api.delete(`/deeplinkUrls/${id}`, { expect: 404 });
    await other.owner.delete(`/deeplinkUrls/${id}`, { expect: 404 });
    expect(await list(world)).toEqual(['myapp://callback']);
  });
});
