import { describe, expect, it } from '@jest/globals';
import { Config } from '../../config/index.js';
import type { AboutSigner } from '../../custody/index.js';
import { generateMasterKey, parseKeyRing } from '../../vault/index.js';
import { checkAuditTrail } from './audit-trail.js';
import { checkClock } from './clock.js';
import { checkConfiguration } from './configuration.js';
import { checkCustodians } from './custodians.js';
import { checkDataFolder } from './data-folder.js';
import { checkExportStore } from './export-store.js';
import { checkMail } from './mail.js';
import { checkMasterKey } from './master-key.js';
import { checkNodeVersion } from './node-version.js';
import { checkPublicUrl, type HealthAnswer } from './public-url.js';
import { checkRedis, redisStateOf } from './redis.js';
import { checkRowSecurity } from './row-security.js';
import { checkSealedKeys } from './sealed-keys.js';
import { checkSigner } from './signer.js';
import { checkSigningKeys } from './signing-keys.js';
import { checkSms } from './sms.js';
import type { Reached } from './vendors.js';
import { checkWebhookEgress } from './webhook-egress.js';

const STORE = 'https://id:secret@store.example/files';
const about =
  (readsRows: boolean, problem: string | null = null) =>
  (): Promise<AboutSigner> =>
    Promise.resolve({ readsRows, problem });
const refused = (): Promise<never> => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));

describe('the doctor looks at', () => {
  it.each([
    ['24.1.0', 'ok'],
    ['22.9.0', 'fail'],
  ])('Node.js %s: %s', (version, state) => {
    expect(checkNodeVersion(version)).toMatchObject({ state });
  });

  it('the configuration', () => {
    expect(checkConfiguration(Config.load({}))).toMatchObject({
      state: 'ok',
      meaning: expect.stringContaining('role all'),
    });
    expect(checkConfiguration(new Error('PORT must be a number'))).toMatchObject({
      state: 'fail',
      meaning: 'PORT must be a number',
    });
  });

  it.each([
    [null, [], 'warn', 'cannot be used'],
    [[], [], 'ok', 'no wallets are held by an extension'],
    [['V3'], ['V1', 'V2', 'V3'], 'ok', 'version V3 have theirs'],
    [['V3', 'external'], ['V1', 'V2', 'V3'], 'warn', 'version external have none'],
  ] as const)('the custodians of wallets of version %p, with those of %p: %s', async (inUse, here, state, meaning) => {
    const finding = await checkCustodians(inUse, async () => here);
    expect(finding).toMatchObject({ state, meaning: expect.stringContaining(meaning) });
  });

  it.each([
    ['own-process', false, refused, 'ok', 'its own signer process'],
    ['in-process', false, refused, 'ok', 'serves requests'],
    ['socket', false, about(false), 'ok', 'responds on its socket'],
    ['socket', true, about(true), 'ok', 'reads sealed keys itself'],
    ['socket', true, about(false), 'fail', 'was given no database'],
    ['socket', false, about(true), 'warn', 'instances still pass them to it'],
    ['socket', true, about(true, '42501'), 'fail', 'cannot read sealed keys: 42501'],
    ['socket', true, refused, 'fail', 'ECONNREFUSED'],
  ] as const)('the signer, with SIGNER=%s, SIGNER_READS_KEYS=%p and %p: %s', async (...given) => {
    const [signer, readsKeys, greet, state, meaning] = given;
    expect(await checkSigner({ signer, readsKeys }, greet)).toMatchObject({
      state,
      meaning: expect.stringContaining(meaning),
    });
  });

  it.each([
    [false, [true, true], [], 'ok', 'pass them to their signer'],
    [true, [false, false], [], 'ok', 'may not read them'],
    [true, [false, true], [], 'fail', 'may read imports.sealed'],
    [false, [false, true], [], 'fail', 'SIGNER_READS_KEYS is not true'],
    [true, [false, false], ['kind'], 'fail', 'may not read seeds.kind'],
    [true, [], [], 'warn', 'not checked'],
  ])('sealed keys: read elsewhere is %p, the role reads %p and lacks %p: %s', (...given) => {
    const [isElsewhere, reads, lacks, state, meaning] = given;
    const rights = reads.map((one, at) => {
      const column = at === 0 ? 'seeds.sealed' : 'imports.sealed';
      return { column, reads: one, lacks: at === 0 ? lacks : [] };
    });
    expect(checkSealedKeys(isElsewhere, rights)).toMatchObject({ state, meaning: expect.stringContaining(meaning) });
    expect(checkSealedKeys(isElsewhere, null)).toMatchObject({ state: 'warn' });
  });

  it.each([
    [false, 'none', false, 'ok', 'off'],
    [false, 'some', false, 'fail', 'the service does not start'],
    [true, 'all', false, 'ok', '2 tables have their policy'],
    [true, 'some', false, 'fail', '1 tables have no policy (webhooks)'],
    [true, 'all', true, 'fail', 'bypasses every policy'],
  ])('row-level security: on is %p, policies at %s tables, a role that bypasses is %p: %s', (...given) => {
    const [isOn, guarded, bypasses, state, meaning] = given;
    const table = (name: string, isGuarded: boolean) => ({
      ...{ table: name, hasEnvironment: true, hasOrganization: false, isOwn: true },
      ...{ isGuarded, isTouched: isGuarded },
    });
    const tables = [table('users', guarded !== 'none'), table('webhooks', guarded === 'all')];
    expect(checkRowSecurity(isOn, { bypasses, tables })).toMatchObject({
      state,
      meaning: expect.stringContaining(meaning),
    });
    expect(checkRowSecurity(isOn, null)).toMatchObject({ state: 'warn' });
  });

  it.each([
    [true, true, false],
    [true, false, true],
    [false, true, false],
    [false, false, true],
  ])('whose policies are to change: on is %p, the table is of the service %p, of a superuser %p', (...given) => {
    const [isOn, isOwn, byOthers] = given;
    const state = { hasEnvironment: true, hasOrganization: false, isGuarded: !isOn, isTouched: !isOn };
    const { fix } = checkRowSecurity(isOn, { bypasses: false, tables: [{ table: 'audit_heads', isOwn, ...state }] });
    expect(fix).toContain('npm run migration:run');
    expect(fix?.includes('as a superuser')).toBe(byOthers);
  });

  it('the store of exports, which has to take, give and remove files', async () => {
    const store = Config.load({ EXPORT_STORE: STORE }).get('EXPORT_STORE');
    const look = (given: typeof store, isProduction: boolean, fault: string | null = null) =>
      checkExportStore({ store: given, isProduction, probe: async () => fault });
    expect(await look(null, false)).toMatchObject({ state: 'ok' });
    expect(await look(null, true)).toMatchObject({ state: 'warn' });
    expect(await look(store, true)).toEqual({
      state: 'ok',
      meaning: 'files at store.example can write, read and delete files',
    });
    expect(await look(store, true, 'The store of exports answers 403.')).toMatchObject({
      state: 'fail',
      meaning: 'files at store.example cannot be used (The store of exports answers 403.)',
    });
  });

  it('the permissions of secrets on disk', () => {
    const look = (modes: [string, number][] | null, isProduction = false) =>
      checkDataFolder({ path: '.data', modes: modes && new Map(modes), isProduction });
    expect(look(null)).toMatchObject({ state: 'warn', fix: 'npm start creates it' });
    expect(look(null, true)).toMatchObject({ state: 'ok', meaning: expect.stringContaining('keeps no secrets there') });
    expect(look([['.data/master.key', 0o600]])).toMatchObject({ state: 'ok' });
    expect(
      look([
        ['.data/master.key', 0o640],
        ['.data/postgres.password', 0o600],
      ]),
    ).toEqual({
      state: 'fail',
      meaning: 'other users may access .data/master.key (640)',
      fix: 'chmod go= .data/master.key',
    });
  });

  it.each([
    [{}, 'ok', 'may only add records'],
    [{ changes: true }, 'warn', 'holds UPDATE, DELETE or TRUNCATE'],
    [{ makesRoles: true }, 'warn', 'may create roles'],
    [{ owns: true, changes: true }, 'warn', 'owns audit_records or its schema'],
    [{ isSuperuser: true, owns: true, makesRoles: true, changes: true }, 'warn', 'is a superuser'],
  ])('what the role of the service may do with the trail: %j', (rights, state, meaning) => {
    const none = { isSuperuser: false, owns: false, makesRoles: false, changes: false };
    expect(checkAuditTrail({ ...none, ...rights }, true)).toMatchObject({
      state,
      meaning: expect.stringContaining(meaning),
    });
    expect(checkAuditTrail({ ...none, ...rights }, false)).toMatchObject({ state: 'ok' });
    expect(checkAuditTrail(null, true)).toMatchObject({ state: 'warn' });
  });

  it('the master key', async () => {
    const ring = parseKeyRing(generateMasterKey());
    const broken = Object.assign(parseKeyRing(generateMasterKey()), { unwrap: refused });
    expect(await checkMasterKey(() => ring)).toMatchObject({ state: 'ok' });
    expect(await checkMasterKey(() => null)).toMatchObject({ state: 'warn' });
    expect(await checkMasterKey(() => broken)).toMatchObject({ state: 'fail', meaning: 'ECONNREFUSED' });
    const unreadable = await checkMasterKey(() => parseKeyRing('hunter2-hunter2'));
    expect(unreadable).toMatchObject({ state: 'fail', meaning: expect.stringContaining('entry 1') });
    expect(JSON.stringify(unreadable)).not.toContain('hunter2');
  });

  it('Redis', async () => {
    const url = 'redis://:password@redis.internal';
    expect(await checkRedis(null, refused)).toMatchObject({ state: 'ok' });
    const found = (version: string, used = 0, most = 0, policy = 'noeviction') =>
      checkRedis(url, async () =>
        redisStateOf(
          `redis_version:${version}\r\nused_memory:${used}\r\nmaxmemory:${most}\r\nmaxmemory_policy:${policy}\r\n`,
        ),
      );
    expect(await found('7.2.4')).toMatchObject({ state: 'ok', meaning: 'Redis 7.2.4' });
    const stranger = Object.assign(new Error('certificate'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    expect(await checkRedis(url, () => Promise.reject(stranger))).toMatchObject({
      state: 'fail',
      meaning: 'its certificate is not accepted (SELF_SIGNED_CERT_IN_CHAIN)',
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
    expect(await found('5.0.14')).toMatchObject({ state: 'fail' });
    expect(await found('7.2.4', 5, 9)).toMatchObject({ state: 'ok' });
    expect(await found('7.2.4', 9, 9)).toMatchObject({ state: 'warn', fix: 'raise maxmemory' });
    const evicting = await found('7.2.4', 5, 9, 'allkeys-lru');
    expect(evicting).toMatchObject({ state: 'warn', fix: 'set maxmemory-policy to noeviction' });
    const replica = redisStateOf('redis_version:7.2.4\r\nrole:slave\r\nslave_read_only:1\r\n');
    expect(await checkRedis(url, async () => replica)).toMatchObject({
      state: 'warn',
      meaning: expect.stringMatching(/^Redis 7.2.4 is a replica, which takes no writes:/),
      fix: expect.stringContaining('REDIS_URL'),
    });
    const inCluster = redisStateOf('redis_version:7.2.4\r\ncluster_enabled:1\r\n', 'CROSSSLOT');
    expect((await checkRedis(url, async () => inCluster)).meaning).toMatch(/cluster mode, which refuses wake-ups/);
    const denied = redisStateOf('redis_version:7.2.4\r\n', "NOPERM this user may not run 'eval'");
    expect(await checkRedis(url, async () => denied)).toMatchObject({
      state: 'warn',
      meaning: "Redis 7.2.4 refuses wake-ups (NOPERM this user may not run 'eval')",
      fix: 'let its user run scripts and use the keys gatehouse:*',
    });
    expect(await checkRedis(url, async () => redisStateOf(''))).toMatchObject({
      state: 'warn',
      fix: expect.stringContaining('INFO'),
    });
    const away = await checkRedis(url, () => Promise.reject(new Error(`cannot reach ${url}`)));
    expect(away).toMatchObject({ state: 'fail', meaning: expect.stringContaining('redis.internal') });
    expect(JSON.stringify(away)).not.toContain('password');
  });

  it.each([
    [null, 'warn'],
    [-5_000, 'ok'],
    [5_001, 'fail'],
    [-60_000, 'fail'],
  ])('a clock %s ms apart: %s', (skewMs, state) => {
    expect(checkClock(skewMs)).toMatchObject({ state });
  });

  it.each<[string, boolean, HealthAnswer | string, string, string]>([
    ['leads here', true, { status: 200, host: 'auth.example.com' }, 'ok', 'leads here'],
    [
      'is seen under another name',
      true,
      { status: 200, host: '10.0.0.7:3000' },
      'warn',
      'the service sees 10.0.0.7:3000',
    ],
    ['is answered by something else', true, { status: 200, host: null }, 'fail', 'not as this service'],
    ['is answered by a proxy without us', true, { status: 502, host: null }, 'fail', 'status 502'],
    ['is out of reach', true, 'ENOTFOUND', 'fail', 'ENOTFOUND'],
    ['cannot be tried', false, 'ECONNREFUSED', 'warn', 'is not running'],
  ])('a public URL that %s', async (_name, running, answer, state, meaning) => {
    const asked: string[] = [];
    const ask = async (url: string) => (asked.push(url), answer);
    const given = { publicUrl: 'https://auth.example.com', isSet: true, isProduction: true };
    const finding = await checkPublicUrl({ ...given, running, ask });
    expect(finding).toMatchObject({ state, meaning: expect.stringContaining(meaning) });
    expect(asked).toEqual(['https://auth.example.com/healthz']);
  });

  it('a public URL that is not set, which production must not go without', async () => {
    const asked: string[] = [];
    const ask = async (url: string) => (asked.push(url), { status: 200, host: 'localhost:3000' });
    const missing = { publicUrl: 'http://localhost:3000', isSet: false, running: true, ask };
    expect(await checkPublicUrl({ ...missing, isProduction: true })).toMatchObject({
      state: 'fail',
      meaning: expect.stringContaining('PUBLIC_URL is missing'),
    });
    expect(asked).toEqual([]);
    expect(await checkPublicUrl({ ...missing, isProduction: false })).toMatchObject({ state: 'ok' });
  });

  it('a public URL with a path, below which no page works', async () => {
    const given = { publicUrl: 'https://example.com/auth', isSet: true, isProduction: true, running: true };
    const finding = await checkPublicUrl({ ...given, ask: async () => ({ status: 200, host: 'example.com' }) });
    expect(finding).toMatchObject({ state: 'warn', fix: 'give the service a host name of its own' });
  });

  it('mail', async () => {
    const smtpUrl = 'smtp://user:hunter2@mail.example.com:587';
    const accept = async () => undefined;
    expect(await checkMail({ smtpUrl: null, isProduction: false, verify: refused })).toMatchObject({ state: 'ok' });
    expect(await checkMail({ smtpUrl: null, isProduction: true, verify: refused })).toMatchObject({ state: 'fail' });
    expect(await checkMail({ smtpUrl, isProduction: true, verify: accept })).toMatchObject({ state: 'ok' });
    const refusal = await checkMail({ smtpUrl, isProduction: true, verify: refused });
    expect(refusal).toMatchObject({ state: 'fail', meaning: 'mail.example.com:587 refuses (ECONNREFUSED)' });
    expect(JSON.stringify(refusal)).not.toContain('hunter2');
  });

  it('the published signing keys', async () => {
    const look = (running: boolean, keys: unknown[] | string | null) =>
      checkSigningKeys({ running, read: async () => keys });
    expect(await look(true, [{ kid: 'a' }, { kid: 'b' }])).toMatchObject({
      state: 'ok',
      meaning: '2 published for the console',
    });
    expect(await look(true, [])).toMatchObject({ state: 'fail' });
    expect(await look(true, 'status 500')).toMatchObject({ state: 'fail', meaning: 'cannot be read (status 500)' });
    expect(await look(true, null)).toMatchObject({ state: 'warn' });
    expect(await look(false, [])).toMatchObject({ state: 'warn' });
  });

  it.each([
    ['', true, 'ok'],
    ['hooks.internal:8080', true, 'warn'],
    ['127.0.0.0/8', false, 'ok'],
    ['10.1.2.3/8', true, 'fail'],
  ])('webhook egress to "%s" (production: %s): %s', (allowed, isProduction, state) => {
    expect(checkWebhookEgress(allowed, isProduction)).toMatchObject({ state });
  });

  it('who carries the text messages of environments, by their hosts', async () => {
    const answers: Record<string, Reached> = {
      'https://api.twilio.com': { status: 404, durationMs: 9, quotaLeft: null },
      'https://sms.example.com': 'refused',
    };
    const look = (gateways: string[] | null, staysHere = false) =>
      checkSms({ gateways, most: 2, staysHere, reach: async (url) => answers[url]! });
    const [vendor = '', gateway = ''] = Object.keys(answers);
    expect(await look(null)).toMatchObject({ state: 'warn', meaning: expect.stringContaining('cannot be used') });
    expect(await look([])).toEqual({ state: 'ok', meaning: 'no environment has enabled an SMS provider' });
    expect(await look([gateway], true)).toEqual({ state: 'ok', meaning: 'development inbox' });
    expect(await look([vendor])).toEqual({ state: 'ok', meaning: 'api.twilio.com responds with 404' });
    expect(await look([vendor, gateway])).toMatchObject({
      state: 'warn',
      meaning: 'api.twilio.com responds with 404; sms.example.com does not respond (refused)',
    });
    expect(await look([vendor, vendor, vendor])).toMatchObject({
      meaning: expect.stringContaining('only 2 were checked'),
    });
  });
});
