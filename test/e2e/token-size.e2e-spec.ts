import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { newId } from '../../src/common/ids.js';
import { EnvironmentSettingsReader } from '../../src/environments/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

const LISTS = 40;
const METADATA = { note: 'x'.repeat(16_000) };

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await startTestApp({ env: { ROLE: 'api' } });
});
afterAll(() => test.close());
beforeEach(async () => {
  world = await World.create(test);
});

const scopeOf = (at: number): string => `${'scope-of-a-list'.padEnd(60, '-')}${at}`;

/** A tenant whose lists give somebody more scopes than fit into any token. */
async function listEverywhere(email: string): Promise<void> {
  for (let at = 0; at < LISTS; at += 1) {
    const list = { name: `List ${at}`, scope: scopeOf(at), outcome: 'scope' };
    const { id } = (await world.api.post<{ id: string }>(world.path('/allowlists'), list, { expect: 201 })).body;
    const entries = `/allowlists/${id}/entries`;
    await world.api.post(entries, { alias: 'a', email }, { expect: 201 });
    await world.api.put(`/allowlists/${id}/enable`, undefined, { expect: 200 });
  }
}

async function keepInCookies(): Promise<void> {
  await rowsOf(
    test,
    `UPDATE environment_settings SET settings = jsonb_set(settings, '{security,auth,storage}', '["cookie"]')
     WHERE environment_id = $1`,
    [world.environmentId],
  );
  test.app.get(EnvironmentSettingsReader).forget(mintEnvironmentId(world.environmentId));
}

const check = (token: string) => world.anonymous.get<unknown>(world.sdk('/session'), { token });
const signInAgain = ({ email }: SignedIn): Promise<SignedIn> => world.signIn(email);

async function withWallets(count: number): Promise<SignedIn> {
  const ada = await world.signIn(newEmail());
  for (let at = 0; at < count; at += 1) {
    const address = `0x${at.toString(16).padStart(40, 'a')}`;
    await rowsOf(
      test,
      `INSERT INTO credentials (environment_id, id, user_id, format, address, chain, public_identifier, verified_at, wallet_name)
       VALUES ($1, $2, $3, 'blockchain', $4, 'eip155', $4, now(), 'metamask')`,
      [world.environmentId, newId(), ada.userId, address],
    );
  }
  return signInAgain(ada);
}

describe('a full token', () => {
  it('is taken back by the service, whatever the user has for metadata', async () => {
    const ada = await world.signIn(newEmail());
    await world.anonymous.put(world.sdk('/users'), { metadata: METADATA }, { token: ada.jwt, expect: 200 });
    const again = await signInAgain(ada);
    expect(again.body.user).toMatchObject({ metadata: METADATA });
    expect((await check(again.jwt)).status).toBe(204);
    expect(again.jwt.length).toBeLessThanOrEqual(8_000);
    expect(decodeJwt(again.jwt)).toMatchObject({ left_out: ['metadata'], email: ada.email });
    expect(decodeJwt(again.jwt)).not.toHaveProperty('metadata');
  });

  it('is taken back by the service, however many wallets the user has', async () => {
    const { jwt, body } = await withWallets(30);
    expect(body.user['verifiedCredentials']).toHaveLength(31);
    expect((await check(jwt)).status).toBe(204);
    expect(jwt.length).toBeLessThanOrEqual(8_000);
    expect(decodeJwt(jwt)).toMatchObject({ left_out: ['verified_credentials'], verified_credentials: [] });
  });

  it('has everything as long as it fits', async () => {
    const claims = decodeJwt((await withWallets(5)).jwt);
    expect(claims['verified_credentials']).toHaveLength(6);
    expect(claims).not.toHaveProperty('left_out');
  });
});

describe('somebody whom more scopes are given than fit', () => {
  it('gets a token that the service takes, with as many as fit', async () => {
    const email = newEmail();
    await listEverywhere(email);
    const { jwt, minifiedJwt, body } = await world.signIn(email);
    for (const token of [jwt, minifiedJwt]) {
      expect((await check(token)).status).toBe(204);
      expect(token.length).toBeLessThanOrEqual(8_000);
    }
    const scope = String(decodeJwt(jwt)['scope']);
    expect(scope).toMatch(/^user:basic .*scope-of-a-list/);
    expect(body.user['scope']).toBe(scope);
    expect(decodeJwt(minifiedJwt)['scope']).toBe(scope);
  }, 30_000);

  it('gets in where the session is kept in a cookie', async () => {
    const email = newEmail();
    await listEverywhere(email);
    await keepInCookies();
    const { headers, body } = await world.signIn(email);
    const [cookie = ''] = headers.getSetCookie();
    expect(Buffer.byteLength(cookie)).toBeLessThanOrEqual(4_096);
    expect(body.user['scope']).toMatch(/^user:basic .*scope-of-a-list/);
  }, 30_000);
});

describe('a key of the session', () => {
  it.each(['\u0001', '語', '"'])('that is too long as it is written into tokens is refused: %p', async (character) => {
    await keepInCookies();
    const email = newEmail();
    const verificationUUID = await world.sendCode(email);
    const answer = { verificationUUID, verificationToken: world.code(email), sessionPublicKey: character.repeat(512) };
    const { status, body } = await world.anonymous.post<{ code: string }>(
      world.sdk('/emailVerifications/signin'),
      answer,
    );
    expect([status, body.code]).toEqual([422, 'invalid_session_public_key']);
  });
});
