import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { buildDocument, EXTRA_SCHEMAS } from '../../src/openapi/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Key {
  id: string;
  kid: string;
  alg: string;
  type: string;
  status: string;
  publicKeyPemB64: string;
  expiresAt: string | null;
  revokedAt: string | null;
}
interface Answer {
  code?: string;
  payload?: { reason?: string };
  kid: string;
  publicKey: string;
}

const AT_ONCE = 50;
const newPem = () => {
  const encodings = {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  };
  return generateKeyPairSync('rsa', { modulusLength: 2048, ...(encodings as object) }) as unknown as {
    publicKey: string;
    privateKey: string;
  };
};

describe('the key that shares are sealed to', () => {
  let test: TestApp;
  let world: World;
  let jwt: string;

  const path = (rest = '') => world.path(`/waas/delegatedAccess/encryptionPublicKeys${rest}`);
  const register = (body: object) => world.api.post<Answer>(path(), body);
  const list = async () =>
    (await world.api.get<{ key: Key | null; keys: Key[] }>(path('?includeAll=true'), { expect: 200 })).body;
  const ofClient = () =>
    world.anonymous.get<{ key: Key }>(world.sdk('/waas/delegatedAccess/encryptionPublicKey'), { token: jwt });
  /** As if a minute had gone by. */
  const passMinute = () =>
    rowsOf(
      test,
      `UPDATE delegation_keys SET active_at = active_at - interval '61 s', revoked_at = revoked_at - interval '61 s'
       WHERE environment_id = $1`,
      [world.environmentId],
    );

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    world = await World.create(test);
    ({ jwt } = await world.signIn(newEmail()));
  });

  it('is one schema of the document, which is generated without a warning', () => {
    const warned = jest.spyOn(Logger, 'warn').mockImplementation(() => undefined);
    buildDocument(test.app, EXTRA_SCHEMAS);
    const warnings = warned.mock.calls.map(([text]) => String(text));
    warned.mockRestore();
    expect(warnings).toEqual([]);
  });

  it('is none at first', async () => {
    expect(await list()).toMatchObject({ key: null, keys: [] });
    expect(await ofClient()).toMatchObject({ status: 404, body: { code: 'no_delegation_key' } });
  });

  it('is active at once if it is the first, and users and team read the same', async () => {
    const { publicKey } = newPem();
    const { status, body } = await register({ publicKey, alg: 'RSA-OAEP-256' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ publicKey, alg: 'RSA-OAEP-256', type: 'external' });
    const { key } = await list();
    expect(key).toMatchObject({ status: 'active', kid: body.kid, expiresAt: null, revokedAt: null });
    expect(Buffer.from(key!.publicKeyPemB64, 'base64').toString()).toBe(publicKey);
    expect((await ofClient()).body.key).toEqual(key);
    const byId = await world.api.get<{ key: Key }>(path(`/${key!.id}`), { expect: 200 });
    expect(byId.body.key).toEqual(key);
    const told = await eventsOf(test, world.environmentId, key!.id);
    expect(told.map(({ name }) => name)).toEqual(['delegatedAccess.key.created']);
  });

  it('is replaced after a minute, during which it stays valid, with exactly one active key at any time', async () => {
    const first = (await register({ publicKey: newPem().publicKey })).body.kid;
    const second = (await register({ publicKey: newPem().publicKey, type: 'platform' })).body.kid;
    const during = await list();
    expect(during.key).toMatchObject({ kid: first, alg: 'HYBRID-RSA-AES-256' });
    expect(during.key!.expiresAt).not.toBeNull();
    expect(during.keys).toMatchObject([
      { kid: second, status: 'pending', type: 'platform', expiresAt: null },
      { kid: first, status: 'active', revokedAt: null },
    ]);
    expect((await ofClient()).body.key.kid).toBe(first);
    const early = await register({ publicKey: newPem().publicKey });
    expect(early).toMatchObject({ status: 422, body: { code: 'delegation_key_pending' } });
    await passMinute();
    const { keys } = await list();
    expect(keys).toMatchObject([
      { kid: second, status: 'active' },
      { kid: first, status: 'revoked', expiresAt: null },
    ]);
    expect(keys[1]!.revokedAt).toBe(new Date(Date.parse(during.key!.expiresAt!) - 61_000).toISOString());
    expect((await ofClient()).body.key.kid).toBe(second);
  });

  it(`of ${AT_ONCE} at once is registered once, and of different ones as many as may wait`, async () => {
    const { publicKey } = newPem();
    const same = await Promise.all(Array.from({ length: AT_ONCE }, () => register({ publicKey })));
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(same.flatMap(({ body }) => body.code ?? []))).toEqual(new Set(['duplicate_exists']));
    const others = Array.from({ length: 4 }, () => newPem().publicKey);
    const different = await Promise.all(others.map((one) => register({ publicKey: one })));
    expect(different.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    expect((await list()).keys).toHaveLength(2);
  });

  it('cannot be a private key, which is neither stored nor echoed, or a weak key', async () => {
    const { privateKey } = newPem();
    for (const body of [
      { publicKey: privateKey },
      { publicKey: 'x' },
      { publicKey: newPem().publicKey, alg: 'none' },
    ]) {
      const answer = await register(body);
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_delegation_key' } });
      expect(JSON.stringify(answer.body)).not.toContain('PRIVATE');
    }
    expect((await list()).keys).toEqual([]);
  });

  it('is that of one environment', async () => {
    await register({ publicKey: newPem().publicKey });
    const { key } = await list();
    const other = await World.create(test);
    const foreign = other.path(`/waas/delegatedAccess/encryptionPublicKeys/${key!.id}`);
    expect((await other.api.get(foreign)).status).toBe(404);
  });
});
