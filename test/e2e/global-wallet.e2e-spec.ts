import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EnvironmentPromotion } from '../../src/environments/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

interface Settings {
  id: string;
  walletName: string;
  enabledAt: string | null;
  code?: string;
  payload?: { additionalMessages: string[] };
}
interface Access {
  id: string;
  type: string;
  enabledAt: string | null;
  domains: { id: string; domain: string; createdAt: string }[];
  code?: string;
}
interface Domain {
  id: string;
  domain: string;
  code?: string;
  hint?: string;
}

const CALLERS = 50;
const LOOK = { walletName: 'Shop Wallet', termsOfServiceUrl: 'https://example.com/terms' };

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

const at = (world: World, rest: string) => world.path(`/globalWallet${rest}`);
const create = (world: World, look: object = LOOK) => world.api.post<Settings>(at(world, '/settings'), look);
const forClients = (world: World) => world.anonymous.get<Settings>(world.sdk('/globalWallets/settings'));
const control = (world: World, type: string) => world.api.post<Access>(at(world, '/accessControl'), { type });
const name = (world: World, domain: string) => world.api.post<Domain>(at(world, '/accessControl/domains'), { domain });
const named = async (world: World): Promise<string[]> =>
  (await world.api.get<Access>(at(world, '/accessControl'), { expect: 200 })).body.domains.map(({ domain }) => domain);

describe('the settings of a global wallet', () => {
  it('are created disabled, changed field by field, and shown to clients while enabled', async () => {
    const world = await World.create(test);
    await world.api.get(at(world, '/settings'), { expect: 404 });
    await world.api.put(at(world, '/enable'), undefined, { expect: 404 });
    const made = await create(world);
    expect([made.status, made.body]).toEqual([201, { id: expect.any(String), ...LOOK, enabledAt: null }]);
    expect((await forClients(world)).status).toBe(404);

    const on = await world.api.put<Settings>(at(world, '/enable'), undefined, { expect: 200 });
    const again = await world.api.put<Settings>(at(world, '/enable'), undefined, { expect: 200 });
    expect(again.body.enabledAt).toBe(on.body.enabledAt);
    await world.api.put(at(world, '/settings'), { popupPageTitle: 'Pay', termsOfServiceUrl: '' }, { expect: 200 });
    const shown = { ...on.body, popupPageTitle: 'Pay', termsOfServiceUrl: '' };
    expect((await world.api.get(at(world, '/settings'), { expect: 200 })).body).toEqual(shown);
    expect((await forClients(world)).body).toEqual(shown);

    const off = await world.api.put<Settings>(at(world, '/disable'), undefined, { expect: 200 });
    expect(off.body.enabledAt).toBeNull();
    expect((await forClients(world)).status).toBe(404);
  });

  it('refuse what a browser might execute, when created and when changed, and write nothing', async () => {
    const world = await World.create(test);
    const bad = { ...LOOK, customCssUrl: 'javascript:alert(1)//.css', popupPageTitle: '</title><script>' };
    const refused = await create(world, bad);
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid_global_wallet_settings']);
    expect(refused.body.payload?.additionalMessages.map((text) => text.split(':')[0])).toEqual([
      'popupPageTitle',
      'customCssUrl',
    ]);
    await world.api.get(at(world, '/settings'), { expect: 404 });
    await create(world);
    const markdown = { termsOfServiceAndPrivacyPolicyMarkdown: '[x](javascript&colon;alert`1`)' };
    await world.api.put(at(world, '/settings'), markdown, { expect: 422 });
    expect((await world.api.get<Settings>(at(world, '/settings'))).body).toMatchObject(LOOK);
  });

  it(`are there once, though ${CALLERS} make them at once`, async () => {
    const world = await World.create(test);
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => create(world)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'duplicate_exists')).toHaveLength(CALLERS - 1);
    expect(await auditOf(test, world.ids.organizationId, { action: 'globalWallet.created' })).toHaveLength(1);
  });

  it(`are enabled once, though ${CALLERS} enable them at once, with one record and one event`, async () => {
    const world = await World.create(test);
    const { id } = (await create(world)).body;
    const enable = () => world.owner.put<Settings>(at(world, '/enable'), undefined, { expect: 200 });
    const answers = await Promise.all(Array.from({ length: CALLERS }, enable));
    expect(new Set(answers.map(({ body }) => body.enabledAt)).size).toBe(1);
    expect(await auditOf(test, world.ids.organizationId, { action: 'globalWallet.enabled' })).toHaveLength(1);
    expect((await eventsOf(test, world.environmentId, id)).map((event) => event.name)).toEqual([
      'globalWallet.created',
      'globalWallet.enabled',
    ]);
    expect(await lastAudit(test, world.ids.organizationId, 'globalWallet.enabled')).toMatchObject({
      actor: { kind: 'member', id: world.ids.ownerUserId },
      resourceType: 'globalWallet',
      resourceId: id,
      environmentId: world.environmentId,
    });
  });
});

describe('the access control of a global wallet', () => {
  it('is created disabled, changes its type but not its sites, and is enabled and disabled', async () => {
    const world = await World.create(test);
    await world.api.get(at(world, '/accessControl'), { expect: 404 });
    expect((await name(world, 'https://shop.example.com')).status).toBe(404);
    const made = await control(world, 'allow');
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        projectEnvironmentId: world.environmentId,
        type: 'allow',
        enabledAt: null,
        domains: [],
      },
    ]);
    const { body: site } = await name(world, 'https://SHOP.example.com:443');
    expect(site).toEqual({ id: expect.any(String), domain: 'https://shop.example.com', createdAt: expect.any(String) });
    await world.api.put(at(world, '/accessControl'), { type: 'block' }, { expect: 200 });
    const on = await world.api.put<Access>(at(world, '/accessControl/enable'), undefined, { expect: 200 });
    expect(on.body).toEqual({ ...made.body, type: 'block', enabledAt: expect.any(String), domains: [site] });
    const off = await world.api.put<Access>(at(world, '/accessControl/disable'), undefined, { expect: 200 });
    expect(off.body.enabledAt).toBeNull();
    await world.api.delete(at(world, `/accessControl/domains/${site.id}`), { expect: 204 });
    await world.api.delete(at(world, `/accessControl/domains/${site.id}`), { expect: 404 });
    expect(await named(world)).toEqual([]);
  });

  it.each([
    ['https://*.com', 'wildcard'],
    ['https://*.vercel.app', 'wildcard'],
    ['http://shop.example.com', 'localhost'],
    ['https://shop.example.com.', 'browser'],
  ])('cannot name %s, with a reason', async (domain, hint) => {
    const world = await World.create(test);
    await control(world, 'allow');
    const { status, body } = await name(world, domain);
    expect([status, body.code, body.hint]).toEqual([
      422,
      'invalid_global_wallet_domain',
      expect.stringContaining(hint),
    ]);
    expect(await named(world)).toEqual([]);
  });

  it(`is there once, and names a site once, though ${CALLERS} do it at once`, async () => {
    const world = await World.create(test);
    const made = await Promise.all(Array.from({ length: CALLERS }, () => control(world, 'allow')));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(made.filter(({ body }) => body.code === 'duplicate_exists')).toHaveLength(CALLERS - 1);
    const sites = await Promise.all(Array.from({ length: CALLERS }, () => name(world, 'https://shop.example.com')));
    expect(sites.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(sites.filter(({ body }) => body.code === 'duplicate_exists')).toHaveLength(CALLERS - 1);
    expect(await named(world)).toEqual(['https://shop.example.com']);
  });

  it(`ends at 100 sites, though ${CALLERS} come at once`, async () => {
    const world = await World.create(test);
    await control(world, 'allow');
    await rowsOf(
      test,
      `INSERT INTO global_wallet_domains (environment_id, id, access_control_id, domain)
       SELECT $1, gen_random_uuid(), id, 'https://s' || n || '.example.org'
       FROM global_wallet_access_controls, generate_series(1, 98) n WHERE environment_id = $1`,
      [world.environmentId],
    );
    const some = Array.from({ length: CALLERS }, (_, n) => name(world, `https://x${n}.example.com`));
    const codes = (await Promise.all(some)).map(({ status, body }) => (status === 201 ? status : body.code));
    expect(codes.filter((code) => code === 201)).toHaveLength(2);
    expect(codes.filter((code) => code === 'too_many_global_wallet_domains')).toHaveLength(CALLERS - 2);
    expect(await named(world)).toHaveLength(100);
  });

  it('of others is inaccessible, as are their sites', async () => {
    const [world, other] = [await World.create(test), await World.create(test)];
    await control(world, 'allow');
    await control(other, 'allow');
    const { id } = (await name(world, 'https://shop.example.com')).body;
    await other.api.delete(at(other, `/accessControl/domains/${id}`), { expect: 404 });
    await other.owner.delete(at(world, `/accessControl/domains/${id}`), { expect: 404 });
    const reader = world.anonymous.withToken(await world.mint(['environment.settings.read']));
    await reader.put(at(world, '/accessControl/enable'), undefined, { expect: 403 });
    await reader.get(at(world, '/accessControl'), { expect: 200 });
    expect(await named(world)).toEqual(['https://shop.example.com']);
  });
});

describe('a promotion', () => {
  it('copies the appearance and the access control, disabled, without what is for the sandbox only', async () => {
    const world = await World.create(test);
    const { sandbox: from, live: to } = world.ids.environments;
    await create(world);
    await world.api.put(at(world, '/enable'), undefined, { expect: 200 });
    await control(world, 'allow');
    for (const domain of ['https://shop.example.com', 'http://localhost:3000']) await name(world, domain);
    const liveToken = world.anonymous.withToken(await world.mint(['environment.settings.write'], to));
    const inLive = (rest: string) => `/environments/${to}/globalWallet/accessControl${rest}`;
    await liveToken.post(inLive(''), { type: 'block' }, { expect: 201 });
    await liveToken.post(inLive('/domains'), { domain: 'https://old.example.com' }, { expect: 201 });

    const promotion = test.app.get(EnvironmentPromotion);
    const request = { from, to, prune: false, except: ['settings/chains'] };
    const plan = await promotion.plan(request);
    expect(plan.parts.find(({ part }) => part === 'globalWallet')).toMatchObject({
      changes: [
        {
          action: 'change',
          key: 'accessControl',
          before: { type: 'block', domains: ['https://old.example.com'] },
          after: { type: 'allow', domains: ['https://shop.example.com'] },
        },
        { action: 'add', key: 'appearance', after: LOOK },
      ],
    });
    await promotion.apply(request, { plan });
    const brought = await world.owner.get<Access>(inLive(''), { expect: 200 });
    expect(brought.body).toMatchObject({ type: 'allow', enabledAt: null });
    expect(brought.body.domains.map(({ domain }) => domain)).toEqual(['https://shop.example.com']);
    const look = await world.owner.get<Settings>(`/environments/${to}/globalWallet/settings`, { expect: 200 });
    expect(look.body).toMatchObject({ ...LOOK, enabledAt: null });
    expect((await promotion.plan(request)).parts.find(({ part }) => part === 'globalWallet')?.changes ?? []).toEqual(
      [],
    );
  });
});
