import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/common/ids.js';
import { NonceStore } from '../../src/identity/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});

afterAll(() => test.close());

describe('a nonce', () => {
  const issue = async (): Promise<string> =>
    (await world.anonymous.get<{ nonce: string }>(world.sdk('/nonce'), { expect: 200 })).body.nonce;

  it('is 128 random bits, different each time, and stored only as a hash', async () => {
    const issued: string[] = [];
    for (let n = 0; n < 20; n += 1) issued.push(...(await Promise.all(Array.from({ length: 50 }, issue))));
    expect(new Set(issued).size).toBe(1_000);
    for (const nonce of issued) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    const rows = await rowsOf<{ hash: string; row: string; lives: number }>(
      test,
      `SELECT encode(nonce_hash, 'hex') AS hash, n::text AS row, extract(epoch FROM expires_at - now())::float AS lives
       FROM nonces n WHERE environment_id = $1`,
      [world.environmentId],
    );
    const hashes = issued.map((nonce) => createHash('sha256').update(nonce).digest('hex'));
    expect(rows.map(({ hash }) => hash).toSorted()).toEqual(hashes.toSorted());
    const text = rows.map(({ row }) => row).join('\n');
    expect(issued.filter((nonce) => text.includes(nonce))).toEqual([]);
    expect(Math.max(...rows.map(({ lives }) => lives))).toBeLessThanOrEqual(300);
  });

  it('is single-use, also of a hundred concurrent uses, and valid in its own environment only', async () => {
    const store = test.app.get(NonceStore);
    const nonce = await issue();
    expect(await store.consume(world.ids.environments.live, nonce)).toBe(false);
    const uses = await Promise.all(Array.from({ length: 100 }, () => store.consume(world.environmentId, nonce)));
    expect(uses.filter(Boolean)).toHaveLength(1);
  });

  it('expires after five minutes', async () => {
    const nonce = await issue();
    await rowsOf(test, "UPDATE nonces SET expires_at = now() - interval '1 second' WHERE environment_id = $1", [
      world.environmentId,
    ]);
    expect(await test.app.get(NonceStore).consume(world.environmentId, nonce)).toBe(false);
  });
});

describe('a visit', () => {
  const VISIT = {
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    chain: 'EVM',
    provider: 'browserExtension',
    walletName: 'metamask',
  };
  const visit = (body: object) => world.anonymous.post<{ code?: string } | undefined>(world.sdk('/connect'), body);
  const visitors = (environmentId: string = world.environmentId) =>
    rowsOf(
      test,
      `SELECT address, wallet_name AS "walletName", visits, auth_mode AS "authMode" FROM visitors
       WHERE environment_id = $1 ORDER BY id`,
      [environmentId],
    );

  it('is recorded once per wallet and counted when repeated, also thirty times concurrently', async () => {
    const first = await visit(VISIT);
    expect([first.status, first.body]).toEqual([202, undefined]);
    await visit({ ...VISIT, authMode: 'connect-only' });
    const answers = await Promise.all(Array.from({ length: 30 }, () => visit(VISIT)));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(202));
    await visit({ ...VISIT, walletName: 'other' });
    const { address } = VISIT;
    expect(await visitors()).toEqual([
      { address, walletName: 'metamask', visits: 32, authMode: 'connect-only' },
      { address, walletName: 'other', visits: 1, authMode: null },
    ]);
    expect(await visitors(world.ids.environments.live)).toEqual([]);
  });

  it.each([
    ['without an address', { address: undefined }],
    ['with an address that is none', { address: '0x52 908' }],
    ['of an unknown chain', { chain: 'DOGE2' }],
    ['of an unknown provider', { provider: 'pigeon' }],
    ['with a field nobody knows', { visits: 99 }],
  ])('%s is refused', async (_, change) => {
    const { status, body } = await visit({ ...VISIT, ...change });
    expect([status, body?.code]).toEqual([400, 'validation_failed']);
  });
});

describe('the settings that clients read', () => {
  it('hold no secret, whatever is stored', async () => {
    const open = await World.create(test);
    const { environmentId } = open;
    const secret = 'never-to-be-told';
    await rowsOf(
      test,
      `UPDATE environment_settings SET settings = jsonb_set(jsonb_set(jsonb_set(settings,
         '{security,captcha}', '{"enabled": false, "siteKey": "site-1", "secretKey": "${secret}"}'),
         '{security,clientSecret}', '"${secret}"'),
         '{general,displayName}', '"Looms"')
       WHERE environment_id = $1`,
      [environmentId],
    );
    await rowsOf(
      test,
      "INSERT INTO providers (environment_id, id, provider, enabled_at) VALUES ($1, $2, 'google', now()), ($1, $3, 'github', NULL)",
      [environmentId, newId(), newId()],
    );
    const { status, body } = await open.anonymous.get<{
      environmentName: string;
      general: { displayName: string };
      security: { captcha: object };
      providers: { provider: string }[];
    }>(open.sdk('/settings?sdkVersion=4.0.0'));
    expect(status).toBe(200);
    expect(body.environmentName).toBe('sandbox');
    expect(body.general.displayName).toBe('Looms');
    expect(body.security.captcha).toEqual({ enabled: false, siteKey: 'site-1' });
    expect(body.providers.map(({ provider }) => provider).toSorted()).toEqual(['emailOnly', 'google']);
    const text = JSON.stringify(body);
    expect(text).not.toContain(secret);
    expect(text).not.toMatch(/secret|private|password"\s*:\s*"/i);
  });
});
