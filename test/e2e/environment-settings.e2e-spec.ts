import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { EnvironmentSecrets } from '../../src/environments/index.js';
import { valuesOf, withField } from '../../src/environments/settings/settings-fields.js';
import {
  SECRET_SETTINGS,
  SETTINGS_FIELDS,
  settingsComponents,
} from '../../src/environments/settings/settings-schema.js';
import { UNENFORCED_SETTINGS } from '../../src/environments/settings/unenforced-settings.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { TestClient, type Answer } from '../support/client.js';
import { knownWithin } from '../support/known-within.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { World } from '../support/world.js';

/** A second, and what a clock of whole milliseconds adds to it. */
const WITHIN_MS = 1_100;

interface Settings {
  chains: { name: string; enabled: boolean }[];
  general: { displayName?: string; supportText?: string | null; supportUrls?: Record<string, string> };
  privacy: { collectIp?: boolean };
  security: { captcha?: Record<string, unknown>; jwtDuration?: object; externalAuth?: object };
  sdk: Record<string, unknown>;
  [section: string]: unknown;
}
interface Environment {
  id: string;
  settings: Settings;
  createdAt: string;
  updatedAt: string;
}
interface Refusal {
  code: string;
  hint: string;
  payload: { fields: { field: string; message: string }[]; version?: number };
}

let test: TestApp;
let other: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  other = await startTestApp({ env: { ROLE: 'api' } });
});
afterAll(async () => {
  await test.close();
  await other.close();
});
beforeEach(async () => {
  world = await World.create(test);
});

const read = async (): Promise<Environment & { etag: string }> => {
  const { body, headers } = await world.owner.get<Environment>(world.path(''), { expect: 200 });
  return { ...body, etag: headers.get('etag') ?? '' };
};
const put = <T = Settings>(body: unknown, etag?: string): Promise<Answer<T>> =>
  world.owner.put<T>(world.path(''), body, { headers: etag === undefined ? {} : { 'if-match': etag } });
const refused = async (body: unknown, status = 400): Promise<Refusal> => {
  const answer = await put<Refusal>(body);
  expect(answer.status).toBe(status);
  return answer.body;
};
/** What is said of each setting that would do nothing. */
const unavailable = async (body: unknown): Promise<Refusal['payload']['fields']> => {
  const { code, payload } = await refused(body, 422);
  expect(code).toBe('setting_not_available');
  return payload.fields;
};
const clientSettings = async (app: TestApp = test): Promise<Settings> => {
  const url = `${app.url}/api/v0${world.sdk('/settings')}`;
  return (await (await fetch(url)).json()) as Settings;
};
const stored = async (): Promise<{ settings: string; version: number }> =>
  (
    await rowsOf<{ settings: string; version: number }>(
      test,
      'SELECT settings::text, version FROM environment_settings WHERE environment_id = $1',
      [world.environmentId],
    )
  )[0]!;

describe('an environment', () => {
  it('is read with its settings, all sections that clients read, and their version', async () => {
    const environment = await read();
    expect(environment).toMatchObject({ id: world.environmentId, etag: '"1"' });
    expect(environment.settings).toEqual(await clientSettings());
    expect(environment.createdAt).toMatch(/^\d{4}-.*Z$/);
  });

  it('is not found by members of others, and not changed by viewers', async () => {
    const stranger = await World.create(test);
    const answer = await stranger.owner.put<Refusal>(world.path(''), { privacy: { collectIp: true } });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    const viewing = world.api.withToken(await world.mint(['environment.settings.read']));
    expect((await viewing.get(world.path(''))).status).toBe(200);
    expect((await viewing.put(world.path(''), { privacy: { collectIp: true } })).status).toBe(403);
    expect((await stored()).version).toBe(1);
  });
});

describe('a change of settings', () => {
  it('merges the request into the stored settings', async () => {
    const before = (await read()).settings;
    const sent = { general: { displayName: 'Looms', supportText: null }, security: { jwtDuration: { amount: 20 } } };
    const { status, body, headers } = await put(sent);
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    expect(body).toEqual({
      ...before,
      general: { ...before.general, displayName: 'Looms', supportText: null },
      security: { ...before.security, jwtDuration: { amount: 20, unit: 'minutes' } },
    });
    expect((await read()).settings).toEqual(body);
  });

  it('replaces lists and maps, and adds what was missing', async () => {
    const chains = [{ name: 'EVM', enabled: true }];
    const { body } = await put({
      chains,
      general: { supportUrls: { chat: 'https://a.example', mail: 'mailto:a@a.example' } },
      sdk: { walletConnect: { projectId: 'p' } },
    });
    expect(body.chains).toEqual(chains);
    expect(body.sdk['walletConnect']).toMatchObject({ projectId: 'p' });
    const next = await put({ general: { supportUrls: { status: 'https://b.example' } } });
    expect(next.body.general.supportUrls).toEqual({ status: 'https://b.example' });
  });

  it('accepts the whole object as it was read, and changes nothing', async () => {
    const { settings } = await read();
    const { status, body, headers } = await put(settings);
    expect([status, headers.get('etag')]).toEqual([200, '"1"']);
    expect(body).toEqual(settings);
    expect(await auditOf(test, world.ids.organizationId, { action: 'environment.settings.updated' })).toEqual([]);
    expect((await put(undefined)).headers.get('etag')).toBe('"1"');
    expect((await put({})).headers.get('etag')).toBe('"1"');
  });

  it('knows one zero: minus zero in place of zero is no change, and no record', async () => {
    const zero = await put({ design: { modal: { radius: 0 } } });
    const raw = '{"design":{"modal":{"radius":-0}}}';
    const { status, headers } = await world.owner.call('PUT', world.path(''), { raw });
    expect([status, headers.get('etag')]).toEqual([200, zero.headers.get('etag')]);
    expect(await auditOf(test, world.ids.organizationId, { action: 'environment.settings.updated' })).toHaveLength(1);
  });

  it('is refused for what other operations own, where it would do nothing', async () => {
    const refusal = await unavailable({ customFields: [], providers: [], networks: [], environmentName: 'live' });
    expect(refusal.map(({ field }) => field)).toEqual(['providers', 'networks', 'environmentName']);
    expect(refusal[0]!.message).toContain('enableProvider');
    const { providers, environmentName } = (await read()).settings;
    expect(providers).toMatchObject([{ provider: 'emailOnly' }]);
    const { status } = await put({ providers, environmentName, customFields: [], exchanges: [] });
    expect(status).toBe(200);
    expect((await stored()).version).toBe(1);
  });

  it('is refused for a switch that nothing enforces, with what is missing, and writes nothing', async () => {
    const refusal = await unavailable({
      privacy: { collectIp: true },
      sdk: { blockEmailSubaddresses: true, multiWalletUnlinkDisabled: true, nameService: { evm: { domain: 'a.eth' } } },
    });
    expect(refusal.map(({ field }) => field).toSorted()).toEqual([
      'sdk.blockEmailSubaddresses',
      'sdk.multiWalletUnlinkDisabled',
      'sdk.nameService.evm.domain',
    ]);
    expect((await stored()).version).toBe(1);
  });

  it('is refused if it gives a list the same key twice, as only one of the two could count', async () => {
    const off = { name: 'EVM', enabled: false };
    const refusal = await unavailable({ chains: [{ name: 'EVM', enabled: true }, off] });
    expect(refusal).toEqual([{ field: 'chains.1.name', message: 'EVM is in the list already' }]);
    expect((await stored()).version).toBe(1);
  });

  it('is refused if it leaves a token nowhere to be, in a client or in a cookie that browsers know', async () => {
    const named = (cookieName: string | null) => ({ security: { externalAuth: { cookieName } } });
    for (const cookieName of ['shop session', 'shop;session', 'shop=session', 'shöp', 'shop"', 'shop\t', '__Host-(a)'])
      expect((await unavailable(named(cookieName))).map(({ field }) => field)).toEqual([
        'security.externalAuth.cookieName',
      ]);
    const nowhere = await unavailable({ security: { auth: { storage: [] } } });
    expect(nowhere.map(({ field }) => field)).toEqual(['security.auth.storage']);
    expect((await stored()).version).toBe(1);
    for (const cookieName of ['shop_session', '__Host-shop', "!#$%&'*+-.^_`|~", '', null])
      expect((await put(named(cookieName))).status).toBe(200);
  });

  it('leaves a record with every field before and after, and an event', async () => {
    await put({ privacy: { collectIp: true }, general: { displayName: 'Looms' } });
    expect(await lastAudit(test, world.ids.organizationId, 'environment.settings.updated')).toMatchObject({
      actor: { kind: 'member', id: world.ids.ownerUserId },
      resourceType: 'environmentSettings',
      resourceId: world.environmentId,
      environmentId: world.environmentId,
      changes: {
        'privacy.collectIp': [false, true],
        'general.displayName': [expect.stringMatching(/^Project /), 'Looms'],
      },
    });
    const events = await eventsOf(test, world.environmentId, world.environmentId);
    const fields = ['general.displayName', 'privacy.collectIp'];
    expect(events.filter(({ name }) => name === 'environment.settings.updated')).toEqual([
      expect.objectContaining({ data: { environmentId: world.environmentId, version: 2, fields } }),
    ]);
  });

  it('is seen by every instance within a second', async () => {
    await Promise.all([clientSettings(), clientSettings(other)]);
    await sleep(500);
    await clientSettings(other);
    await put({ general: { displayName: 'Looms' } });
    const [own, theirs] = await Promise.all([
      clientSettings(),
      knownWithin(
        WITHIN_MS,
        () => clientSettings(other),
        ({ general }) => general.displayName === 'Looms',
      ),
    ]);
    expect([own, theirs].map(({ general }) => general.displayName)).toEqual(['Looms', 'Looms']);
  });

  it('may build on a recent one of another instance', async () => {
    await clientSettings(other);
    await new TestClient(other.url, world.token).put(world.path(''), {}, { expect: 200 });
    const externalAuth = { iss: 'https://a.example', aud: 'us', jwksUrl: 'https://a.example/jwks' };
    await put({ security: { externalAuth } });
    const enabled = { security: { externalAuth: { enabled: true } } };
    const answer = await new TestClient(other.url, world.token).put(world.path(''), enabled);
    expect(answer.status).toBe(200);
  });

  it('costs eight statements, and one more to show it', async () => {
    await read();
    const { sent } = await countStatements(() => put({ privacy: { collectIp: true } }));
    const names = sent.map(({ name, text }) => name || text).filter((name) => !/token|member|role|person/i.test(name));
    expect(names).toContain('settingsVersions.add');
    expect(names.slice(names.indexOf('BEGIN'), names.indexOf('COMMIT') + 1)).toHaveLength(8);
  });
});

describe('settings that are not valid', () => {
  it.each<[string, unknown, string, string]>([
    ['a list', [], 'body', 'body must be an object'],
    ['a setting nobody knows', { privacy: { collectDna: true } }, 'privacy.collectDna', 'is not a known setting'],
    ['a wrong type', { privacy: { collectIp: 'yes' } }, 'privacy.collectIp', 'must be boolean'],
    ['null where there is none', { privacy: { collectIp: null } }, 'privacy.collectIp', 'must be boolean'],
    ['a list item without what it needs', { chains: [{ name: 'EVM' }] }, 'chains.0.enabled', 'is required'],
    [
      'a lifetime of tokens of 4 minutes',
      { security: { jwtDuration: { amount: 4 } } },
      'security.jwtDuration',
      'must be between 5 minutes and 30 days',
    ],
    [
      'a picture that is a script',
      { general: { appLogo: 'javascript:alert(1)' } },
      'general.appLogo',
      'must begin with https:// or http://',
    ],
    [
      'a link that is a script',
      { general: { supportUrls: { chat: 'javascript:alert(1)' } } },
      'general.supportUrls.chat',
      'must begin with https://, http://, mailto: or tel:',
    ],
    [
      'external authentication without an audience',
      { security: { externalAuth: { enabled: true, iss: 'https://a.example', jwksUrl: 'https://a.example/jwks' } } },
      'security.externalAuth.aud',
      'is required while external authentication is on',
    ],
    [
      'keys at an address inside',
      { security: { externalAuth: { jwksUrl: 'https://10.0.0.1/jwks' } } },
      'security.externalAuth.jwksUrl',
      'The host must lead to a public address.',
    ],
  ])('are refused, naming the field: %s', async (_mistake, body, field, message) => {
    const refusal = await refused(body);
    expect(refusal.code).toBe('validation_failed');
    expect(refusal.payload.fields).toContainEqual({ field, message });
    expect((await stored()).version).toBe(1);
  });

  it.each([
    ['5 minutes', { amount: 5, unit: 'minutes' }, 200],
    ['6 minutes', { amount: 6, unit: 'minutes' }, 200],
    ['29 days', { amount: 29, unit: 'days' }, 200],
    ['30 days', { amount: 30, unit: 'days' }, 200],
    ['31 days', { amount: 31, unit: 'days' }, 400],
  ])('allow tokens to live for %s: %j, %i', async (_name, jwtDuration, status) => {
    expect((await put({ security: { jwtDuration } })).status).toBe(status);
  });

  it('are refused when all settings together are larger than 256 KB', async () => {
    const rooms = (size: number) =>
      Array.from({ length: 45 }, (_, at) => ({ name: `${at}`.padEnd(size, 'n'), enabled: false }));
    const section = (name: string) => ({
      type: 'login',
      sections: rooms(2_000).map((_, at) => ({ type: 'text', label: `${name}${at}`.padEnd(2_000, 'x') })),
    });
    const views = await put({ sdk: { views: [section('a')] } });
    expect(views.status).toBe(200);
    expect((await put({ chains: rooms(2_000) })).status).toBe(200);
    const kyc = rooms(2_000).map(({ name }) => ({
      name,
      required: false,
      enabled: false,
      unique: false,
      verify: false,
    }));
    const refusal = await refused({ kyc }, 422);
    expect(refusal.code).toBe('settings_too_large');
    expect((await stored()).version).toBe(3);
  });

  it('are refused with an invalid version', async () => {
    const answer = await put<Refusal>({ privacy: { collectIp: true } }, 'W/"1"');
    expect([answer.status, answer.body.payload.fields[0]!.field]).toEqual([400, 'If-Match']);
  });
});

describe('settings that several people change', () => {
  it('keep concurrent changes of all switches, with and without the version that was read', async () => {
    const { settings, etag } = await read();
    const chosen = [...valuesOf(SETTINGS_FIELDS, settings)].filter(
      (entry): entry is [string, boolean] =>
        typeof entry[1] === 'boolean' && !(entry[0] in UNENFORCED_SETTINGS) && !entry[0].startsWith('security.'),
    );
    expect(chosen.length).toBeGreaterThan(30);
    // In turn: the field alone, the field with the version, and the whole object with the version, as forms send it.
    const answers = await Promise.all(
      chosen.map(([name, value], at) =>
        put(withField(at % 3 === 2 ? settings : {}, name, !value), at % 3 === 0 ? undefined : etag),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(chosen.map(() => 200));
    const after = valuesOf(SETTINGS_FIELDS, (await read()).settings);
    expect(chosen.filter(([name, value]) => after.get(name) !== !value)).toEqual([]);
    const written = await auditOf(test, world.ids.organizationId, { action: 'environment.settings.updated' });
    expect([written.length, (await stored()).version]).toEqual([chosen.length, chosen.length + 1]);
  });

  it('accept one of 50 concurrent changes of one field based on the same version', async () => {
    const { etag } = await read();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => put<Refusal>({ general: { displayName: `mine ${at}` } }, etag)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = answers.filter(({ status }) => status === 409);
    expect(late).toHaveLength(49);
    for (const { body } of late) {
      expect(body).toMatchObject({
        code: 'settings_changed',
        payload: { version: 2, fields: [{ field: 'general.displayName' }] },
      });
    }
  });

  it('are the last writer’s without If-Match', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => put({ general: { displayName: `mine ${at}` } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await stored()).version).toBe(21);
  });

  it('write nothing of a change that is refused for one field', async () => {
    const { etag } = await read();
    await put({ privacy: { collectIp: true } });
    const answer = await put<Refusal>({ privacy: { collectIp: false }, general: { displayName: 'mine' } }, etag);
    // Sent as it had been read: not a change of the sender.
    expect([answer.status, (await read()).settings]).toMatchObject([
      200,
      { privacy: { collectIp: true }, general: { displayName: 'mine' } },
    ]);
    await put({ general: { displayName: 'theirs', supportText: 'theirs' } });
    const late = await put<Refusal>(
      { general: { displayName: 'late', emailCompanyName: 'late' } },
      answer.headers.get('etag')!,
    );
    expect(late.status).toBe(409);
    expect(late.body.payload.fields.map(({ field }) => field)).toEqual(['general.displayName']);
    expect((await read()).settings.general).not.toHaveProperty('emailCompanyName');
  });

  it('must be consistent: nothing is enabled without what somebody else has removed meanwhile', async () => {
    const externalAuth = { iss: 'https://a.example', aud: 'us', jwksUrl: 'https://a.example/jwks' };
    await put({ security: { externalAuth } });
    const { etag } = await read();
    await put({ security: { externalAuth: { aud: '' } } });
    const late = await put<Refusal>({ security: { externalAuth: { ...externalAuth, enabled: true } } }, etag);
    expect(late.status).toBe(400);
    expect(late.body.payload.fields.map(({ field }) => field)).toEqual(['security.externalAuth.aud']);
    expect((await read()).settings.security.externalAuth).not.toHaveProperty('enabled', true);
  });

  it('are merged also where an older version has stored what is refused by now, and nobody changes it', async () => {
    const networks = [{ networkId: 424_242, chainName: 'Unknown', enabled: true, type: 'default' }];
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(settings, '{chains}', $2) WHERE environment_id = $1`,
      [world.environmentId, JSON.stringify([{ name: 'EVM', enabled: true, networks }])],
    );
    const { etag, settings } = await read();
    await put({ privacy: { collectIp: !settings.privacy.collectIp } });
    const form = { ...settings, general: { ...settings.general, displayName: 'mine' } };
    expect((await put(form, etag)).status).toBe(200);
    const { privacy, general } = (await read()).settings;
    expect([privacy.collectIp, general.displayName]).toEqual([!settings.privacy.collectIp, 'mine']);
  });

  it('based on forgotten or unknown versions are in conflict', async () => {
    await put({ privacy: { collectIp: true } });
    await put({ privacy: { collectIp: false } });
    await rowsOf(test, 'DELETE FROM environment_settings_versions WHERE environment_id = $1 AND version = 2', [
      world.environmentId,
    ]);
    for (const etag of ['"1"', '"99"']) {
      const answer = await put<Refusal>({ general: { displayName: 'mine' } }, etag);
      expect([etag, answer.status, answer.body.code]).toEqual([etag, 409, 'settings_changed']);
    }
    expect((await put({ general: { displayName: 'mine' } }, '"2"')).status).toBe(200);
    expect((await put({ general: { displayName: 'again' } }, '*')).status).toBe(200);
  });

  it('are remembered for 500 changes', async () => {
    const id = world.environmentId;
    await rowsOf(test, 'UPDATE environment_settings SET version = 600 WHERE environment_id = $1', [id]);
    await rowsOf(
      test,
      `INSERT INTO environment_settings_versions (environment_id, version, replaced)
       SELECT $1, n, '[]' FROM generate_series(2, 600) n`,
      [id],
    );
    await put({ privacy: { collectIp: true } });
    const [kept] = await rowsOf<{ min: number; n: number }>(
      test,
      'SELECT min(version), count(*)::int AS n FROM environment_settings_versions WHERE environment_id = $1',
      [id],
    );
    expect(kept).toEqual({ min: 102, n: 500 });
    const change = { general: { displayName: 'mine' } };
    expect((await put(change, '"100"')).status).toBe(409);
    expect((await put(change, '"101"')).status).toBe(200);
  });
});

describe('a secret among the settings', () => {
  const canary = 'canary-of-a-captcha';
  const secretOf = () => test.app.get(EnvironmentSecrets).find(world.environmentId, 'security.captcha.secretKey');

  it('is accepted, sealed, and never returned', async () => {
    const { status, body } = await put({ security: { captcha: { enabled: false, siteKey: 's', secretKey: canary } } });
    expect([status, body.security.captcha]).toEqual([200, { enabled: false, siteKey: 's' }]);
    expect(await secretOf()).toBe(canary);
    const tables = [
      'environment_settings',
      'environment_secrets',
      'environment_settings_versions',
      'audit_records',
      'events',
    ];
    for (const table of tables) {
      const found = await rowsOf(test, `SELECT 1 FROM ${table} t WHERE to_jsonb(t)::text LIKE $1`, [`%${canary}%`]);
      expect([table, found]).toEqual([table, []]);
    }
    expect(JSON.stringify([await read(), await clientSettings()])).not.toContain(canary);
    const { changes } = await lastAudit(test, world.ids.organizationId, 'environment.settings.updated');
    expect(changes['security.captcha.secretKey']).toEqual(['[redacted]', '[redacted]']);
  });

  it('is replaced, kept if not sent, and removed if sent empty', async () => {
    await put({ security: { captcha: { secretKey: 'first' } } });
    await put({ security: { captcha: { secretKey: 'second' } } });
    await put({ security: { captcha: { siteKey: 'site' } } });
    expect(await secretOf()).toBe('second');
    await put({ security: { captcha: { secretKey: '' } } });
    expect(await secretOf()).toBeNull();
  });

  it('opens under its own environment and name alone', async () => {
    await put({ security: { captcha: { secretKey: canary } } });
    const stranger = await World.create(test);
    const copy = `INSERT INTO environment_secrets (environment_id, name, sealed_value, master_key_id)
      SELECT $2, $3, sealed_value, master_key_id FROM environment_secrets WHERE environment_id = $1`;
    const secrets = test.app.get(EnvironmentSecrets);
    for (const [to, name] of [
      [stranger.environmentId, 'security.captcha.secretKey'],
      [world.environmentId, 'security.captcha.secretKey2'],
    ] as const) {
      await rowsOf(test, copy, [world.environmentId, to, name]);
      await expect(secrets.find(to, name)).rejects.toMatchObject({ reason: 'not-authentic' });
    }
  });

  it('that two people change at once is in conflict', async () => {
    const { etag } = await read();
    const secretKey = 'theirs';
    await put({ security: { captcha: { secretKey } } });
    const late = await put<Refusal>({ security: { captcha: { secretKey } } }, etag);
    expect(late.body.payload.fields.map(({ field }) => field)).toEqual(['security.captcha.secretKey']);
  });

  it.each([7, null, {}, ['x']])('is a text and not %j, which is not returned either', async (secretKey) => {
    const refusal = await refused({ security: { captcha: { secretKey } } });
    expect(refusal.payload.fields).toEqual([{ field: 'security.captcha.secretKey', message: 'must be string' }]);
  });

  it('is each field that the schema calls write-only: what is put there never comes back', async () => {
    const secrets = Object.entries(settingsComponents).flatMap(([component, { properties = {} }]) =>
      Object.entries(properties).flatMap(([name, schema]) => (schema.writeOnly ? [`${component}.${name}`] : [])),
    );
    expect(secrets).toEqual(['CaptchaSettings.secretKey', 'ProviderRecord.clientSecret']);
    expect([...SECRET_SETTINGS]).toEqual(['security.captcha.secretKey']);
    const { body } = await put({
      security: { captcha: { secretKey: canary } },
    });
    await unavailable({ providers: [{ provider: 'google', clientSecret: canary }] });
    expect(JSON.stringify([body, await read(), await clientSettings()])).not.toContain(canary);
    expect((await stored()).settings).not.toContain(canary);
  });
});

describe('views', () => {
  interface View {
    type: string;
    sections: { type: string; label?: string }[];
  }

  it('are a part of the settings, one at a time', async () => {
    const sections = [
      { type: 'text', label: 'Hello', alignment: 'center' },
      { type: 'passkey', numOfItemsToDisplay: 2 },
    ];
    const path = world.path('/sdkViews/login');
    const before = await world.api.get<View>(path, { expect: 200 });
    expect(before.body.sections[0]).toEqual({ type: 'email' });
    const { body } = await world.api.put<View>(path, { sections }, { expect: 201 });
    expect(body).toEqual({ type: 'login', sections });
    expect((await world.api.get<View>(path)).body).toEqual(body);
    expect((await world.api.get<{ sdkViews: View[] }>(world.path('/sdkViews'))).body).toEqual({ sdkViews: [body] });
    const { settings, etag } = await read();
    expect([settings.sdk['views'], etag]).toEqual([[body], '"2"']);
    expect((await clientSettings()).sdk['views']).toEqual([body]);
    const { changes } = await lastAudit(test, world.ids.organizationId, 'environment.settings.updated');
    expect(changes['sdk.views']).toEqual([[before.body], [body]]);
  });

  it('stay as they are if nothing is sent, and are emptied by an empty list', async () => {
    const path = world.path('/sdkViews/login');
    const before = (await world.api.get<View>(path)).body;
    expect((await world.api.put<View>(path, {}, { expect: 201 })).body).toEqual(before);
    expect((await world.api.put<View>(path, { sections: [] }, { expect: 201 })).body.sections).toEqual([]);
    await put({ sdk: { views: [] } });
    const { etag } = await read();
    const none = { type: 'login', sections: [] };
    expect((await world.api.get<View>(path)).body).toEqual(none);
    expect((await world.api.put<View>(path, {}, { expect: 201 })).body).toEqual(none);
    expect(await read()).toMatchObject({ settings: { sdk: { views: [] } }, etag });
  });

  it.each([99, 100, 101])('have 100 sections at most: %i', async (count) => {
    const sections = Array.from({ length: count }, () => ({ type: 'separator' }));
    const { status } = await world.api.put(world.path('/sdkViews/login'), { sections });
    expect(status).toBe(count > 100 ? 400 : 201);
  });

  it.each([2_047, 2_048, 2_049])('have labels of 2,048 characters at most: %i', async (length) => {
    const sections = [{ type: 'text', label: 'x'.repeat(length) }];
    const { status } = await world.api.put(world.path('/sdkViews/login'), { sections });
    expect(status).toBe(length > 2_048 ? 400 : 201);
  });

  it.each(['logout', 'LOGIN', '__proto__', 'toString', '%00'])('of the kind %s are not found', async (kind) => {
    expect(
      (
        await fetch(`${test.url}/api/v0${world.path(`/sdkViews/${kind}`)}`, {
          headers: { authorization: `Bearer ${world.token}` },
        })
      ).status,
    ).toBe(404);
  });
});

describe('what clients say they run with', () => {
  const report = (body: unknown) => world.anonymous.post<Refusal>(world.sdk('/sdkSettings'), body);
  const reports = () =>
    rowsOf<{ report: unknown }>(test, 'SELECT report FROM client_reports WHERE environment_id = $1', [
      world.environmentId,
    ]);

  it('is stored, at most one report per environment and minute', async () => {
    const first = { sdkContextProps: { a: 1 }, frameworkSettings: { react: { version: '19' }, nextjs: {} } };
    expect((await report(first)).status).toBe(204);
    const more = await Promise.all(Array.from({ length: 50 }, () => report({ sdkConnectorSettings: { b: 2 } })));
    expect(new Set(more.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await reports()).toEqual([{ report: first }]);
    await rowsOf(
      test,
      "UPDATE client_reports SET reported_at = now() - interval '1 minute' WHERE environment_id = $1",
      [world.environmentId],
    );
    // That one begins a minute of its own.
    for (const b of [2, 3]) await report({ sdkConnectorSettings: { b } });
    expect(await reports()).toEqual([{ report: { sdkConnectorSettings: { b: 2 } } }]);
  });

  it.each([16_383, 16_384, 16_385])('is limited to 16 KB per part: %i', async (bytes) => {
    const sdkContextProps = { a: 'x'.repeat(bytes - '{"a":""}'.length) };
    expect((await report({ sdkContextProps })).status).toBe(bytes > 16_384 ? 400 : 204);
  });
});
