import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EnvironmentParts,
  EnvironmentPromotion,
  EnvironmentSecrets,
  OriginPolicy,
  PromotionRefusedError,
  type PromotionPlan,
  type PromotionRequest,
} from '../../src/environments/index.js';
import { defaultSettings } from '../../src/environments/settings/default-settings.js';
import { someSetting } from '../../src/environments/settings/setting-values.fixture.js';
import { withField } from '../../src/environments/settings/settings-fields.js';
import { UNENFORCED_SETTINGS } from '../../src/environments/settings/unenforced-settings.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { command } from '../support/operator.js';
import { run, type Finished } from '../support/service-process.js';
import { addNameService } from '../support/name-services.js';
import { newAddress } from '../support/surface/records.js';
import { newEmail, World } from '../support/world.js';

const HOOK = { url: 'https://hooks.example.com/in', events: ['user.created', 'user.deleted'], isEnabled: true };

interface Settings {
  general: Record<string, unknown>;
  security: { captcha?: unknown };
}

/** A tenant whose sandbox is promoted to its live environment. */
interface Pair {
  world: World;
  organizationId: string;
  from: string;
  to: string;
  request: PromotionRequest;
}

/** Of a vendor that is known: Turnstile's for tests. */
const SITE_KEY = '1x00000000000000000000AA';

/** Switches that nothing enforces, that lack what they need, or that contradict others, and the field that says so. */
const UNMET: readonly [field: string, value: unknown, named: string][] = [
  ['security.captcha', { enabled: true, siteKey: SITE_KEY }, 'security.captcha.secretKey'],
  ['security.mfa.enabled', true, 'security.mfa.enabled'],
  ['security.mfa.required', true, 'security.mfa.required'],
  ['security.mfa.actions', [{ action: 'user.update', required: true }], 'security.mfa.actions.0.required'],
  ['security.mfa.availableMethods', ['totp'], 'security.mfa.availableMethods.0'],
  ['kyc', fieldsWith('alias', { unique: true }), 'kyc.3.unique'],
  ['kyc', fieldsWith('alias', { verify: true }), 'kyc.3.verify'],
  ['kyc', fieldsWith('alias', { validationRules: { regex: 'a' } }), 'kyc.3.validationRules'],
  ...Object.entries(UNENFORCED_SETTINGS).map(([name, { isOff }]): [string, unknown, string] => [
    name,
    [someSetting(name), false].find((value) => !isOff(value)),
    name,
  ]),
];

/** The standard fields, one of them with what it cannot have. */
function fieldsWith(name: string, more: object): object[] {
  return defaultSettings('sandbox').kyc.map((field) => (field.name === name ? { ...field, ...more } : field));
}

const byName = (a: object, b: object): number => JSON.stringify(a).localeCompare(JSON.stringify(b));

describe('a promotion', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-promote-'));
  let test: TestApp;
  let promotion: EnvironmentPromotion;

  beforeAll(async () => {
    // A connection for each of those who ask at once: they shall meet at the lock, not at the pool.
    test = await startTestApp({ env: { ROLE: 'api', DATABASE_POOL: '60' } });
    promotion = test.app.get(EnvironmentPromotion);
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The two differ by chains from the start, which is left alone unless a test says otherwise. */
  async function pair(more: Partial<PromotionRequest> = {}): Promise<Pair> {
    const world = await World.create(test);
    const { organizationId, environments } = world.ids;
    const { sandbox: from, live: to } = environments;
    return {
      world,
      organizationId,
      from,
      to,
      request: { from, to, prune: false, except: ['settings/chains'], ...more },
    };
  }
  /** Sets settings behind the API, whose answers and requests are not the subject here. */
  const set = (environmentId: string, path: string, value: unknown) =>
    rowsOf(test, `UPDATE environment_settings SET settings = jsonb_set(settings, $2, $3) WHERE environment_id = $1`, [
      environmentId,
      path.split('/').slice(1),
      JSON.stringify(value),
    ]);
  const settingsOf = async (environmentId: string) =>
    (
      await rowsOf<{ settings: Settings }>(
        test,
        'SELECT settings FROM environment_settings WHERE environment_id = $1',
        [environmentId],
      )
    )[0]!.settings;
  const addHook = (world: World, environmentId: string, hook: object = HOOK) =>
    world.owner.post<{ webhookId: string; secret: string }>(`/environments/${environmentId}/webhooks`, hook, {
      expect: 201,
    });
  const hooksOf = async (world: World, environmentId: string) =>
    (
      await world.owner.get<{ data: { webhookId: string; url: string; events: string[]; isEnabled: boolean }[] }>(
        `/environments/${environmentId}/webhooks`,
        { expect: 200 },
      )
    ).body.data;
  const stepsOf = (plan: PromotionPlan) =>
    plan.parts.flatMap(({ part, changes }) => changes.map(({ action, key }) => `${action} ${part} ${key}`));
  /** Everything that a promotion could have written. */
  const writtenTo = async ({ organizationId, to }: Pair) => ({
    settings: await settingsOf(to),
    audit: (await auditOf(test, organizationId)).length,
    events: (await eventsOf(test, to)).length,
  });
  const cli = (...words: string[]): Promise<Finished> => command(test.app, 'promote', ...words);
  const program = (...words: string[]): Promise<Finished> =>
    run(['node', 'scripts/run.js', 'cli', 'promote', ...words], {
      DATABASE_URL: test.databaseUrl,
      MASTER_KEY: test.masterKey,
      NODE_ENV: 'test',
    });

  it('changes what the plan says, with a record and an event of each change and one of the whole', async () => {
    const { world, organizationId, from, to, request } = await pair();
    await set(from, '/general/displayName', 'Shop');
    await set(from, '/general/supportUrls', { 'help/en': 'https://example.com/help' });
    await set(to, '/general/emailCompanyName', 'Old');
    await addHook(world, from);

    const plan = await promotion.plan(request);
    expect(plan.parts).toEqual([
      {
        part: 'settings',
        changes: [
          { action: 'change', key: 'general/displayName', before: expect.stringMatching(/^Project /), after: 'Shop' },
          { action: 'remove', key: 'general/emailCompanyName', before: 'Old' },
          {
            action: 'change',
            key: 'general/supportUrls',
            before: {},
            after: { 'help/en': 'https://example.com/help' },
          },
        ],
        left: [],
      },
      { part: 'webhooks', changes: [{ action: 'add', key: HOOK.url, after: HOOK }], left: [] },
    ]);
    expect(await promotion.apply(request, { digest: plan.digest })).toEqual(plan);

    expect((await settingsOf(to)).general).toMatchObject({
      displayName: 'Shop',
      supportUrls: { 'help/en': 'https://example.com/help' },
    });
    expect((await settingsOf(to)).general).not.toHaveProperty('emailCompanyName');
    expect(await hooksOf(world, to)).toMatchObject([HOOK]);
    const records = (await auditOf(test, organizationId)).filter(({ environmentId }) => environmentId === to);
    expect(records.slice(-3).map(({ action, actor }) => [action, actor])).toEqual([
      ['environment.settings.updated', { kind: 'service' }],
      ['webhook.created', { kind: 'service' }],
      ['environment.promoted', { kind: 'service' }],
    ]);
    expect(records.at(-1)?.changes).toEqual({
      id: [null, to],
      fromEnvironmentId: [null, from],
      planDigest: [null, plan.digest],
    });
    const told = (await eventsOf(test, to)).map(({ name }) => name);
    expect(told.slice(-4)).toEqual(['environment.settings.updated', 'webhook.created', 'ping', 'environment.promoted']);
  });

  it('leaves nothing to do, and a second one writes nothing', async () => {
    const tenant = await pair({ except: [] });
    await addHook(tenant.world, tenant.from);
    const { digest } = await promotion.plan(tenant.request);
    await promotion.apply(tenant.request, { digest });

    const plan = await promotion.plan(tenant.request);
    expect(plan.parts).toEqual([]);
    const before = await writtenTo(tenant);
    expect(await promotion.apply(tenant.request, { digest: plan.digest })).toEqual(plan);
    expect(await writtenTo(tenant)).toEqual(before);
  });

  it('keeps what the target alone has, unless it is to be pruned', async () => {
    const { world, from, to, request } = await pair();
    await addHook(world, from);
    await addHook(world, to, { ...HOOK, events: ['ping'], url: 'https://live.example.com/in' });
    const kept = await promotion.plan(request);
    expect(kept.parts).toMatchObject([
      { left: [{ key: 'https://live.example.com/in', reason: expect.stringContaining('--prune') }] },
    ]);
    await promotion.apply(request, { digest: kept.digest });
    expect(await hooksOf(world, to)).toHaveLength(2);

    const pruning = { ...request, prune: true };
    const plan = await promotion.plan(pruning);
    expect(stepsOf(plan)).toEqual(['remove webhooks https://live.example.com/in']);
    await promotion.apply(pruning, { digest: plan.digest });
    expect(await hooksOf(world, to)).toMatchObject([{ url: HOOK.url }]);
  });

  it('tells and copies no secret: webhooks get their own, and the settings of the target keep theirs', async () => {
    const { world, from, to, request } = await pair();
    const [source, target] = ['source-captcha-secret', 'target-captcha-secret'];
    const captcha = (environmentId: string, settings: object) =>
      world.owner.put(`/environments/${environmentId}`, { security: { captcha: settings } }, { expect: 200 });
    await captcha(from, { enabled: true, siteKey: SITE_KEY, secretKey: source });
    await captcha(to, { enabled: false, secretKey: target });
    const made = await addHook(world, from);
    const changed = await addHook(world, from, { ...HOOK, url: 'https://hooks.example.com/both' });
    const other = await addHook(world, to, { ...HOOK, url: 'https://hooks.example.com/both', isEnabled: false });

    const plan = await promotion.plan(request);
    expect(stepsOf(plan)).toEqual([
      'change settings security/captcha/enabled',
      'add settings security/captcha/siteKey',
      'change webhooks https://hooks.example.com/both',
      `add webhooks ${HOOK.url}`,
    ]);
    await promotion.apply(request, { digest: plan.digest });
    const told = JSON.stringify([plan, await auditOf(test, world.ids.organizationId), await eventsOf(test, to)]);
    for (const secret of [source, target, made.body.secret, changed.body.secret, other.body.secret, 'whsec_']) {
      expect(told).not.toContain(secret);
    }

    expect((await settingsOf(to)).security.captcha).toEqual({ enabled: true, siteKey: SITE_KEY });
    const kept = await test.app.get(EnvironmentSecrets).find(request.to, 'security.captcha.secretKey');
    expect(kept).toBe(target);
    const token = await world.mint(['environment.webhooks.read', 'environment.webhooks.write'], request.to);
    const secrets = await Promise.all(
      (await hooksOf(world, to)).map(async ({ webhookId, url }) => {
        const { body } = await world.anonymous.get<{ secret: string }>(
          `/environments/${to}/webhooks/${webhookId}?includeSecret=true`,
          { expect: 200, token },
        );
        return [url, body.secret] as const;
      }),
    );
    const secretOf = new Map(secrets);
    expect(secretOf.get(HOOK.url)).toMatch(/^whsec_/);
    expect(secretOf.get(HOOK.url)).not.toBe(made.body.secret);
    expect(secretOf.get('https://hooks.example.com/both')).toBe(other.body.secret);
  });

  it('tells webhooks with one address apart', async () => {
    const { world, from, to, request } = await pair();
    await addHook(world, from);
    await addHook(world, from, { ...HOOK, events: ['user.updated'] });
    await addHook(world, to);
    const plan = await promotion.plan(request);
    expect(stepsOf(plan)).toEqual([`add webhooks ${HOOK.url}#2`]);
    await promotion.apply(request, { digest: plan.digest });
    expect((await hooksOf(world, to)).map(({ events }) => events)).toEqual([HOOK.events, ['user.updated']]);
  });

  it('brings the origins that the target may have, which browsers may call from at once', async () => {
    const { world, from, to, request } = await pair();
    const add = (environmentId: string, origin: string) =>
      world.owner.post(`/environments/${environmentId}/origins`, { origin }, { expect: 201 });
    await add(from, 'http://localhost:3000');
    await add(from, 'https://*.example.com');
    await add(to, 'https://live.example.net');
    const policy = test.app.get(OriginPolicy);
    expect(await policy.allows(request.to, 'https://shop.example.com')).toBe(false);

    const plan = await promotion.plan({ ...request, prune: true });
    expect(plan.parts).toMatchObject([
      {
        part: 'origins',
        changes: [
          { action: 'add', key: 'https://*.example.com' },
          { action: 'remove', key: 'https://live.example.net' },
        ],
        left: [{ key: 'http://localhost:3000', reason: expect.stringContaining('sandbox') }],
      },
    ]);
    await promotion.apply({ ...request, prune: true }, { digest: plan.digest });
    expect(await policy.allows(request.to, 'https://shop.example.com')).toBe(true);
    expect(await policy.allows(request.to, 'https://live.example.net')).toBe(false);
    const actions = (await auditOf(test, world.ids.organizationId)).map(({ action }) => action);
    expect(actions.slice(-3)).toEqual(['origin.deleted', 'origin.created', 'environment.promoted']);
    expect((await promotion.plan({ ...request, prune: true })).parts).toMatchObject([{ changes: [] }]);
  });

  it('brings the addresses of applications', async () => {
    const { world, from, to, request } = await pair();
    const add = (environmentId: string, url: string) =>
      world.owner.post(`/environments/${environmentId}/deeplinkUrls`, { url }, { expect: 201 });
    await add(from, 'shop://signed-in');
    await add(from, 'both://here');
    await add(to, 'both://here');
    await add(to, 'live://only');
    // Added by a version that took it.
    const old = 'http://shop.example.com/return';
    await rowsOf(test, 'INSERT INTO deeplink_urls (environment_id, id, url) VALUES ($1, gen_random_uuid(), $2)', [
      from,
      old,
    ]);
    const pruning = { ...request, prune: true };
    const plan = await promotion.plan(pruning);
    expect(stepsOf(plan)).toEqual(['remove deeplinkUrls live://only', 'add deeplinkUrls shop://signed-in']);
    expect(plan.parts[0]!.left).toEqual([{ key: old, reason: expect.stringContaining('Plain http') }]);
    await promotion.apply(pruning, { digest: plan.digest });
    const { body } = await world.owner.get<{ deeplinkUrls: { url: string }[] }>(`/environments/${to}/deeplinkUrls`, {
      expect: 200,
    });
    expect(body.deeplinkUrls.map(({ url }) => url)).toEqual(['both://here', 'shop://signed-in']);
    const actions = (await auditOf(test, world.ids.organizationId)).map(({ action }) => action);
    expect(actions.slice(-3)).toEqual(['deeplinkUrl.deleted', 'deeplinkUrl.created', 'environment.promoted']);
  });

  it('is told in one line for each change, whatever its record is called', async () => {
    const { world, from, to } = await pair();
    const name = 'Friends\nsettings  - security/mfa/required';
    const list = { name, outcome: 'scope', scope: 'friend' };
    await world.owner.post(`/environments/${from}/allowlists`, list, { expect: 201 });
    const { stderr } = await cli('--from', from, '--to', to, '--plan');
    const lines = stderr.trim().split('\n');
    expect(lines).toContain(String.raw`allowlists  + Friends\nsettings  - security/mfa/required`);
    expect(lines.filter((line) => line.startsWith('settings  -'))).toEqual([]);
  });

  it('brings custom fields by their keys, unless the values of users stand against it', async () => {
    const { world, from, to, request } = await pair();
    const fieldsOf = async (environmentId: string) =>
      (await world.owner.get<object[]>(`/environments/${environmentId}/custom/fields`, { expect: 200 })).body;
    const add = async (environmentId: string, name: string, more: object = {}) => {
      const field = { name, enabled: true, required: false, fieldType: 'text', position: 1, ...more };
      const path = `/environments/${environmentId}/custom/fields`;
      return { ...field, id: (await world.owner.post<{ id: string }>(path, field, { expect: 201 })).body.id };
    };
    const { id: renamedId, ...renamed } = await add(from, 'Shoe size', { validationRules: { regex: '[0-9]+' } });
    await world.owner.put(`/custom/fields/${renamedId}`, { ...renamed, name: 'Size' }, { expect: 200 });
    await add(from, 'Nickname', { validationRules: { unique: true } });
    await add(to, 'Nickname');
    await add(to, 'Live only');

    const plan = await promotion.plan({ ...request, prune: true });
    expect(stepsOf(plan)).toEqual([
      'remove customFields live_only',
      'change customFields nickname',
      'add customFields shoe_size',
    ]);
    const users = ['a@example.com', 'b@example.com'].map((email) => ({ email, metadata: { nickname: 'same' } }));
    for (const user of users) await world.owner.post(`/environments/${to}/users`, user, { expect: 201 });
    const before = await fieldsOf(to);
    const outdated = promotion.apply({ ...request, prune: true }, { digest: plan.digest });
    await expect(outdated).rejects.toMatchObject({ refusal: 'outdated' });
    const foreseen = await promotion.plan({ ...request, prune: true });
    const reason = 'cannot be unique: users of the target share a value';
    expect(foreseen.parts).toMatchObject([{ part: 'customFields', refused: [{ key: 'nickname', reason }] }]);
    await expect(promotion.apply({ ...request, prune: true }, { digest: foreseen.digest })).rejects.toMatchObject({
      code: 'cannot_switch_to_unique',
    });
    expect(await fieldsOf(to)).toEqual(before);

    await rowsOf(test, 'DELETE FROM users WHERE environment_id = $1', [to]);
    await promotion.apply({ ...request, prune: true }, { digest: plan.digest });
    const terms = (fields: object[]) => fields.map((field) => ({ ...field, id: null }));
    expect(terms(await fieldsOf(to)).sort(byName)).toEqual(terms(await fieldsOf(from)).sort(byName));
    const actions = (await auditOf(test, world.ids.organizationId)).map(({ action }) => action);
    expect(actions.slice(-4)).toEqual([
      'customField.deleted',
      'customField.updated',
      'customField.created',
      'environment.promoted',
    ]);
  });

  it('says of custom fields what the target would refuse: names that are taken, and values that users share', async () => {
    const { world, from, to, request } = await pair();
    const field = { enabled: true, required: false, fieldType: 'text', position: 1 };
    const add = async (environmentId: string, name: string, more: object = {}) => {
      const path = `/environments/${environmentId}/custom/fields`;
      return (await world.owner.post<{ id: string }>(path, { ...field, name, ...more }, { expect: 201 })).body.id;
    };
    const unique = { validationRules: { unique: true } };
    await add(from, 'Taken');
    await world.owner.put(`/custom/fields/${await add(to, 'Own')}`, { ...field, name: 'Taken' }, { expect: 200 });
    for (const name of ['Shared', 'Blank', 'Own value']) await add(from, name, unique);
    await add(to, 'Own value', { ...unique, position: 2 });
    const users = [1, 2].map((n) => ({ metadata: { shared: n > 0, blank: '', own_value: `${n}` } }));
    for (const [n, user] of users.entries())
      await world.owner.post(`/environments/${to}/users`, { email: `${n}@example.com`, ...user }, { expect: 201 });
    const plan = await promotion.plan(request);
    expect(plan.parts).toMatchObject([
      {
        part: 'customFields',
        refused: [
          { key: 'shared', reason: 'cannot be unique: users of the target share a value' },
          { key: 'taken', reason: 'has the name of a field that stays in the target' },
        ],
      },
    ]);
    await expect(promotion.apply(request, { digest: plan.digest })).rejects.toMatchObject({
      code: 'cannot_switch_to_unique',
    });
    const { parts } = await promotion.plan({ ...request, prune: true });
    expect(parts.map(({ refused }) => refused?.map(({ key }) => key))).toEqual([['shared']]);
  });

  it('brings custom fields that have taken the names of each other', async () => {
    const { world, from, to, request } = await pair();
    const field = { enabled: true, required: false, fieldType: 'text', position: 1 };
    const path = (environmentId: string) => `/environments/${environmentId}/custom/fields`;
    const add = async (name: string) =>
      (await world.owner.post<{ id: string }>(path(from), { ...field, name }, { expect: 201 })).body.id;
    const promoted = async () => {
      const { digest } = await promotion.plan(request);
      await promotion.apply(request, { digest });
      const { body } = await world.owner.get<{ key: string; name: string }[]>(path(to), { expect: 200 });
      return Object.fromEntries(body.map(({ key, name }) => [key, name]));
    };
    const ids = { home: await add('Home'), work: await add('Work') };
    const rename = (which: keyof typeof ids, name: string) =>
      world.owner.put(`/custom/fields/${ids[which]}`, { ...field, name }, { expect: 200 });
    expect(await promoted()).toEqual({ home: 'Home', work: 'Work' });
    await rename('work', 'Office');
    await rename('home', 'Work');
    expect(await promoted()).toEqual({ home: 'Work', work: 'Office' });
    for (const [which, name] of [
      ['home', 'Aside'],
      ['work', 'Work'],
      ['home', 'Office'],
    ] as const)
      await rename(which, name);
    expect(await promoted()).toEqual({ home: 'Office', work: 'Work' });
    const updates = await auditOf(test, world.ids.organizationId, { action: 'customField.updated' });
    expect(updates.slice(-2).map(({ changes }) => changes)).toEqual([
      { name: ['Work', 'Office'] },
      { name: ['Office', 'Work'] },
    ]);
  });

  it('says which additions the target has no room for', async () => {
    const parts = test.app.get(EnvironmentParts).all();
    expect(Object.fromEntries(parts.map(({ name, most }) => [name, most]))).toEqual({
      ...{ allowlists: 50, customFields: 100, deeplinkUrls: 100, gates: 50, origins: 100, webhooks: 20 },
      ...{ globalWallet: Infinity, nameServices: Infinity, providers: Infinity, settings: Infinity },
    });
    const { world, from, to, request } = await pair();
    const urlOf = (n: number): string => `https://hooks.example.com/${n}`;
    for (const n of [1, 2, 3]) await addHook(world, from, { ...HOOK, url: urlOf(n) });
    for (let n = 3; n < 22; n++) await addHook(world, to, { ...HOOK, url: urlOf(n) });
    const refusedOf = ({ parts: planned }: PromotionPlan) => planned.flatMap(({ refused = [] }) => refused);
    const plan = await promotion.plan(request);
    expect(refusedOf(plan)).toEqual([{ key: urlOf(2), reason: 'there is no room: the target may have 20' }]);
    await expect(promotion.apply(request, { digest: plan.digest })).rejects.toMatchObject({
      code: 'too_many_webhooks',
    });
    // What is left out of the plan takes room as well.
    const without = { ...request, except: [...request.except, `webhooks/${urlOf(5)}`] };
    expect(refusedOf(await promotion.plan(without))).toHaveLength(1);
    const pruning = { ...request, prune: true };
    const { digest, ...fits } = await promotion.plan(pruning);
    expect(refusedOf({ ...fits, digest })).toEqual([]);
    await promotion.apply(pruning, { digest });
  });

  it('brings the domain of names, to be enabled there, with neither its key nor the names below it', async () => {
    const { world, organizationId, from, to, request } = await pair();
    const { userId } = await world.signIn(newEmail());
    await addNameService(world);
    await rowsOf(test, 'UPDATE name_services SET enabled_at = now() WHERE environment_id = $1', [from]);
    const wallet = {
      publicWalletAddress: newAddress(),
      chain: 'EVM',
      walletName: 'test',
      walletProvider: 'browserExtension',
    };
    await world.api.post(`/environments/${from}/users/${userId}/wallets`, wallet, { expect: 201 });
    await rowsOf(
      test,
      `INSERT INTO wallet_names (environment_id, id, service_id, handle, wallet_id)
       SELECT s.environment_id, gen_random_uuid(), s.id, 'ann', w.id
       FROM name_services s JOIN wallets w USING (environment_id) WHERE s.environment_id = $1`,
      [from],
    );
    const servicesOf = (environmentId: string) =>
      rowsOf<{ domain: string; address: string; sealed_key: Buffer | null; enabled_at: Date | null }>(
        test,
        'SELECT domain, address, sealed_key, enabled_at FROM name_services WHERE environment_id = $1',
        [environmentId],
      );
    const namesOf = (environmentId: string) =>
      rowsOf(test, 'SELECT handle FROM wallet_names WHERE environment_id = $1', [environmentId]);

    const plan = await promotion.plan(request);
    expect(stepsOf(plan)).toEqual(['add nameServices EVM']);
    await promotion.apply(request, { digest: plan.digest });
    const [source] = await servicesOf(from);
    expect(source!.sealed_key).not.toBeNull();
    expect(await servicesOf(to)).toEqual([{ ...source, sealed_key: null, enabled_at: null }]);
    expect([await namesOf(from), await namesOf(to)]).toEqual([[{ handle: 'ann' }], []]);
    expect(stepsOf(await promotion.plan(request))).toEqual([]);
    const actions = (await auditOf(test, organizationId)).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(['nameService.created', 'environment.promoted']);

    // What only the target has stays, unless it is to be pruned; then the names below it go with it.
    await rowsOf(test, 'DELETE FROM wallet_names WHERE environment_id = $1', [from]);
    await rowsOf(test, 'DELETE FROM name_services WHERE environment_id = $1', [from]);
    expect(stepsOf(await promotion.plan(request))).toEqual([]);
    const pruning = { ...request, prune: true };
    const removal = await promotion.plan(pruning);
    expect(stepsOf(removal)).toEqual(['remove nameServices EVM']);
    await promotion.apply(pruning, { digest: removal.digest });
    expect(await servicesOf(to)).toEqual([]);
  });

  it('writes nothing once the target or the source has changed since the plan', async () => {
    const tenant = await pair();
    const { from, to, request, world } = tenant;
    await set(from, '/general/displayName', 'Shop');
    const drifts: (() => Promise<unknown>)[] = [
      () => set(to, '/general/supportText', 'changed'),
      () => set(from, '/general/displayName', 'Another shop'),
      () => addHook(world, to),
      () => addHook(world, from),
    ];
    for (const drift of drifts) {
      const { digest } = await promotion.plan(request);
      await drift();
      const before = await writtenTo(tenant);
      await expect(promotion.apply(request, { digest })).rejects.toThrow(PromotionRefusedError);
      expect(await writtenTo(tenant)).toEqual(before);
    }
  });

  it('is of the very plan that was read, not of another with its digest', async () => {
    const tenant = await pair();
    await set(tenant.from, '/general/displayName', 'Shop');
    const plan = await promotion.plan(tenant.request);
    const altered = JSON.parse(JSON.stringify(plan)) as PromotionPlan;
    altered.parts[0]!.changes[0]!.after = 'Bank';
    const before = await writtenTo(tenant);
    await expect(promotion.apply(tenant.request, { plan: altered })).rejects.toThrow(PromotionRefusedError);
    expect(await writtenTo(tenant)).toEqual(before);
    await promotion.apply(tenant.request, { plan: JSON.parse(JSON.stringify(plan)) });
    expect((await settingsOf(tenant.to)).general['displayName']).toBe('Shop');
  });

  it('of one plan, asked for 50 times at once, is made once', async () => {
    const { world, organizationId, from, to, request } = await pair();
    await set(from, '/general/displayName', 'Shop');
    await addHook(world, from);
    const { digest } = await promotion.plan(request);
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => promotion.apply(request, { digest })));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(49);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(PromotionRefusedError);
    expect(await hooksOf(world, to)).toHaveLength(1);
    expect(await auditOf(test, organizationId, { action: 'environment.promoted' })).toHaveLength(1);
  });

  it('of two environments into each other, 25 times at once each, leaves them equal', async () => {
    const { from, to, request } = await pair();
    await set(from, '/general/displayName', 'Shop');
    const back = { ...request, from: request.to, to: request.from };
    const [there, other] = [await promotion.plan(request), await promotion.plan(back)];
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, at) =>
        at % 2 ? promotion.apply(request, { digest: there.digest }) : promotion.apply(back, { digest: other.digest }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await settingsOf(from)).general['displayName']).toBe((await settingsOf(to)).general['displayName']);
  });

  it('that would leave the target with wrong settings or too many webhooks writes nothing', async () => {
    const wrong = await pair();
    await set(wrong.from, '/security/jwtDuration', { amount: 1, unit: 'minutes' });
    const { digest } = await promotion.plan(wrong.request);
    const before = await writtenTo(wrong);
    await expect(promotion.apply(wrong.request, { digest })).rejects.toMatchObject({
      code: 'validation_failed',
      details: { payload: { fields: [{ field: 'security.jwtDuration' }] } },
    });
    expect(await writtenTo(wrong)).toEqual(before);

    const full = await pair();
    await addHook(full.world, full.from);
    for (let at = 0; at < 20; at++) await addHook(full.world, full.to, { ...HOOK, url: `https://h.example.com/${at}` });
    const plan = await promotion.plan(full.request);
    await expect(promotion.apply(full.request, { digest: plan.digest })).rejects.toMatchObject({
      code: 'too_many_webhooks',
    });
    expect(await hooksOf(full.world, full.to)).toHaveLength(20);
  });

  describe('of a switch that would do nothing in the target', () => {
    let tenant: Pair;
    let untouched: Settings;
    const plant = (environmentId: string, settings: object) =>
      rowsOf(test, 'UPDATE environment_settings SET settings = $2 WHERE environment_id = $1', [
        environmentId,
        JSON.stringify(settings),
      ]);
    const refusedBy = async (): Promise<unknown> =>
      (await promotion.plan(tenant.request)).parts.flatMap(({ refused = [] }) => refused);

    beforeAll(async () => {
      tenant = await pair();
      untouched = await settingsOf(tenant.from);
    });
    afterEach(() => plant(tenant.from, untouched));

    it.each(UNMET)('is refused when it is sent, named in the plan, and not made: %s', async (field, value, named) => {
      const { world, from, to, request } = tenant;
      const before = await writtenTo(tenant);
      const sent = await world.owner.put<{ code: string; payload: { fields: { field: string; message: string }[] } }>(
        `/environments/${to}`,
        withField({}, field, value),
      );
      expect([sent.status, sent.body.code]).toEqual([422, 'setting_not_available']);
      expect(sent.body.payload.fields.map((problem) => problem.field)).toContain(named);

      await plant(from, withField(untouched, field, value));
      const { message } = sent.body.payload.fields.find((problem) => problem.field === named)!;
      expect(await refusedBy()).toContainEqual({ key: named.replaceAll('.', '/'), reason: message });
      const { digest } = await promotion.plan(request);
      await expect(promotion.apply(request, { digest })).rejects.toMatchObject({ code: 'setting_not_available' });
      expect(await writtenTo(tenant)).toEqual(before);
    });

    it('is told by the operation and by the command, and no longer once the target has what was missing', async () => {
      const { world, from, to } = tenant;
      await plant(from, withField(untouched, 'security.captcha', { enabled: true, siteKey: SITE_KEY }));
      const key = 'security/captcha/secretKey';
      const options = { fromEnvironmentId: from, except: ['settings/chains'] };
      const { body } = await world.owner.post<PromotionPlan>(`/environments/${to}/promotion/plan`, options, {
        expect: 200,
      });
      expect(body.parts).toMatchObject([
        { part: 'settings', refused: [{ key, reason: expect.stringContaining('is missing') }] },
      ]);
      const told = await cli('--from', from, '--to', to, '--except', 'settings/chains', '--plan');
      expect(told.stderr).toContain(`settings  ! ${key}  refused: is missing`);

      const captcha = { enabled: false, siteKey: SITE_KEY, secretKey: 'of-the-target' };
      await world.owner.put(`/environments/${to}`, { security: { captcha } }, { expect: 200 });
      expect(await refusedBy()).toEqual([]);
      const { digest } = await promotion.plan(tenant.request);
      await promotion.apply(tenant.request, { digest });
      expect((await settingsOf(to)).security.captcha).toEqual({ enabled: true, siteKey: SITE_KEY });
    });

    it('is a site key whose secret the target does not have, only that of its own', async () => {
      const { world, request, from, to } = await pair();
      const own = '0x4AAAAAAADnPIDROrmt1Wwj';
      for (const [id, siteKey] of Object.entries({ [from]: SITE_KEY, [to]: own })) {
        const captcha = { enabled: true, siteKey, secretKey: `of-${siteKey}` };
        await world.owner.put(`/environments/${id}`, { security: { captcha } }, { expect: 200 });
      }
      const plan = await promotion.plan(request);
      const key = 'security/captcha/secretKey';
      expect(plan.parts).toMatchObject([{ refused: [{ key, reason: expect.stringContaining('is missing') }] }]);
      await expect(promotion.apply(request, { digest: plan.digest })).rejects.toThrow();
      expect((await settingsOf(to)).security.captcha).toEqual({ enabled: true, siteKey: own });
      const secrets = test.app.get(EnvironmentSecrets);
      expect(await secrets.find(request.to, 'security.captcha.secretKey')).toBe(`of-${own}`);
    });

    it('keeps nothing else back that the target had before: what an older version stored there is not looked at', async () => {
      const { request, from, to } = await pair();
      const old = 'sdk.blockEmailSubaddresses';
      for (const id of [from, to]) await plant(id, withField(await settingsOf(id), old, true));
      await set(from, '/general/displayName', 'Shop');
      const plan = await promotion.plan(request);
      expect(plan.parts).toEqual([expect.not.objectContaining({ refused: expect.anything() })]);
      await promotion.apply(request, { digest: plan.digest });
      expect((await settingsOf(to)).general['displayName']).toBe('Shop');
    });
  });

  it('stays within an organization, and goes from one environment to another that exist', async () => {
    const [own, other] = [await pair(), await World.create(test)];
    const refusals: [Partial<PromotionRequest>, string][] = [
      [{ to: other.environmentId }, 'of one organization'],
      [{ from: other.ids.consoleEnvironmentId }, 'of one organization'],
      [{ to: own.request.from }, 'to itself'],
      [{ to: own.world.ids.projectId as PromotionRequest['to'] }, 'There is no environment'],
      [{ except: ['setting'] }, 'There is nothing called setting'],
    ];
    for (const [request, message] of refusals) {
      await expect(promotion.plan({ ...own.request, ...request })).rejects.toThrow(message);
      await expect(promotion.apply({ ...own.request, ...request }, { digest: '' })).rejects.toThrow(message);
    }
  });

  describe('by a member, with operations', () => {
    interface Shown {
      digest: string;
      parts: { part: string; changes: { key: string; before?: unknown; after?: unknown }[] }[];
    }
    const post = <T = Shown & { code: string }>({ world, to }: Pair, rest: string, body: object, expect: number) =>
      world.owner.post<T>(`/environments/${to}/promotion${rest}`, body, { expect });

    it('is planned, read and applied by its digest, with the member as the author of each change', async () => {
      const tenant = await pair();
      const { world, from, to, organizationId } = tenant;
      await set(from, '/general/displayName', 'Shop');
      const options = { fromEnvironmentId: from, except: ['settings/chains'] };
      const plan = await post(tenant, '/plan', options, 200);
      expect(plan.body.parts.flatMap(({ changes }) => changes)).toMatchObject([
        { key: 'general/displayName', after: 'Shop' },
      ]);
      expect(plan.body).toMatchObject({ digest: (await promotion.plan(tenant.request)).digest });
      const applied = await post(tenant, '', { ...options, digest: plan.body.digest }, 200);
      expect(applied.body).toEqual(plan.body);
      const done = (await auditOf(test, organizationId)).filter(({ environmentId }) => environmentId === to);
      const byMember = { kind: 'member', id: world.ids.ownerUserId };
      expect(done.filter(({ actor }) => actor['kind'] === 'member').map(({ action }) => action)).toEqual(
        expect.arrayContaining(['environment.settings.updated', 'environment.promoted']),
      );
      for (const { actor } of done.slice(-2)) expect(actor).toMatchObject(byMember);
      const again = await post(tenant, '', { ...options, digest: plan.body.digest }, 409);
      expect(again.body.code).toBe('plan_outdated');
    });

    it('of one plan, asked for 50 times at once, is made once', async () => {
      const tenant = await pair();
      const { world, from, to } = tenant;
      await set(from, '/general/displayName', 'Once');
      const options = { fromEnvironmentId: from, except: ['settings/chains'] };
      const { digest } = (await post(tenant, '/plan', options, 200)).body;
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => world.owner.post(`/environments/${to}/promotion`, { ...options, digest })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    });

    it('stays within the organization, and is for its admins alone', async () => {
      const [tenant, other] = [await pair(), await World.create(test)];
      const { world, to } = tenant;
      const foreign = { fromEnvironmentId: other.environmentId };
      for (const path of ['/plan', '']) {
        const digest = path === '' && { digest: '0'.repeat(64) };
        expect((await post(tenant, path, { ...foreign, ...digest }, 404)).body.code).toBe('not_found');
        const console = { fromEnvironmentId: world.ids.consoleEnvironmentId };
        expect((await post(tenant, path, { ...console, ...digest }, 404)).body.code).toBe('not_found');
        const itself = { fromEnvironmentId: to };
        expect((await post(tenant, path, { ...itself, ...digest }, 422)).body.code).toBe('promotion_refused');
        await world.api.post(world.path(`/promotion${path}`), { ...foreign, ...digest }, { expect: 403 });
      }
      const unknown = { fromEnvironmentId: tenant.from, except: ['setting'] };
      expect((await post(tenant, '/plan', unknown, 422)).body.code).toBe('promotion_refused');
    });
  });

  describe('by the command', () => {
    it('is planned on the output, applied from the file, and refused with exit code 1 afterwards', async () => {
      const tenant = await pair();
      const { world, from, to } = tenant;
      await set(from, '/general/displayName', 'Shop');
      await addHook(world, from);
      const words = ['--from', from, '--to', to, '--except', 'settings/chains'];
      const before = await writtenTo(tenant);
      const planned = await program(...words, '--plan');
      expect(planned).toMatchObject({ code: 0 });
      expect(await writtenTo(tenant)).toEqual(before);
      const plan = JSON.parse(planned.stdout) as PromotionPlan;
      expect(plan).toEqual(JSON.parse(JSON.stringify(await promotion.plan(tenant.request))));
      expect(planned.stderr).toContain('settings  ~ general/displayName');
      expect(planned.stderr).toContain(`webhooks  + ${HOOK.url}`);
      expect(planned.stderr).toContain(`2 changes  digest ${plan.digest}`);

      const file = join(folder, 'plan.json');
      writeFileSync(file, planned.stdout);
      const applied = await Promise.all([program('--apply', file), cli(...words, '--apply', plan.digest)]);
      const [made, refused] = applied.sort((a, b) => (a.code ?? 2) - (b.code ?? 2));
      expect(made).toMatchObject({ code: 0, stdout: `2 changes made  digest ${plan.digest}\n` });
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('nothing was written') });
      expect(await hooksOf(world, to)).toHaveLength(1);

      const again = await cli(...words, '--plan');
      const rest = JSON.parse(again.stdout) as PromotionPlan;
      expect(rest.parts).toEqual([]);
      expect(await cli(...words, '--apply', rest.digest)).toMatchObject({
        code: 0,
        stdout: 'There was nothing to change.\n',
      });
    }, 120_000);

    it.each<[string[], string]>([
      [[], 'Give either --plan or --apply'],
      [['--plan', '--apply', 'x'], 'Give either --plan or --apply'],
      [['--plan', '--from', 'x', '--to', 'y'], '--from must be the id of an environment'],
      [['--apply', 'missing.json'], 'a digest or a readable file'],
      [['--apply', 'README.md'], 'not JSON'],
      [['--apply', 'package.json'], 'not hold a plan of this version'],
      [['--apply', 'package.json', '--prune'], 'give --apply alone'],
    ])('is refused in one line when called with %j', async (words, message) => {
      const { code, stdout, stderr } = await cli(...words);
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });
  });
});
