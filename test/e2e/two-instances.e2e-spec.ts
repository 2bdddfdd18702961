import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SigningKeyRotation } from '../../src/environments/signing-keys/signing-key-rotation.service.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { wrongCode, type Refusal } from '../support/codes.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { World, newEmail } from '../support/world.js';

const MAX_AGE_MS = 1_000;

describe('what one of two instances changes', () => {
  let test: TestApp;
  let other: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    other = await startTestApp({ databaseUrl: test.databaseUrl, masterKey: test.masterKey, env: { ROLE: 'api' } });
    world = await World.create(test);
  });
  afterAll(async () => {
    await other?.close();
    await test?.close();
  });

  /**
   * Milliseconds from now to the beginning of the last call that met the old state, which the other instance has been made
   * to remember before: however long calls take, those that begin later do not meet it.
   */
  async function lastOld(isNew: () => Promise<boolean>): Promise<number> {
    const from = performance.now();
    for (let last = 0; ;) {
      const began = performance.now() - from;
      if (await isNew()) return last;
      if (began > 3 * MAX_AGE_MS) return Infinity;
      last = began;
    }
  }

  const elsewhere = (token: string | null = world.token): TestClient => new TestClient(other.url, token);

  it('is an API token that works no more: the other refuses it within a second', async () => {
    const raw = await world.mint(['environment.users.read']);
    const before = await world.api.get<{ tokens: { id: string; scopes: string[] }[] }>(world.path('/tokens'));
    const { id } = before.body.tokens.find(({ scopes }) => scopes.length === 1)!;
    const ask = (client: TestClient) => client.get<Refusal>(world.path('/users?limit=1'));
    expect((await ask(elsewhere(raw))).status).toBe(200);
    await world.api.delete(world.path(`/tokens/${id}`));
    expect((await ask(new TestClient(test.url, raw))).status).toBe(401);
    expect(await lastOld(async () => (await ask(elsewhere(raw))).status === 401)).toBeLessThan(MAX_AGE_MS);
  });

  it('is a signing key: the other publishes it within a second', async () => {
    const keys = async (client: TestClient): Promise<string[]> => {
      const answer = await client.get<{ keys: { kid: string }[] }>(world.sdk('/.well-known/jwks'), { expect: 200 });
      return answer.body.keys.map(({ kid }) => kid);
    };
    expect(await keys(elsewhere(null))).toHaveLength(1);
    const { keyId } = await test.app.get(SigningKeyRotation).publishNext(world.environmentId);
    expect(await lastOld(async () => (await keys(elsewhere(null))).includes(keyId))).toBeLessThan(MAX_AGE_MS);
  });

  it('is access of servers to a wallet that is taken away: the other signs with it no more within a second', async () => {
    await world.owner.put(world.path(''), { sdk: { waas: { delegatedAccess: { enabled: true } } } }, { expect: 200 });
    const request = { identifier: newEmail(), type: 'email', chains: ['EVM'] };
    const made = await world.api.post<{ user: { id: string } }>(world.path('/embeddedWallets'), request);
    const credential = randomBytes(32);
    const access = { kinds: ['message'], chainIds: null, contracts: null, maxPerTransaction: null, maxPerDay: null };
    const [given] = await rowsOf<{ walletId: string }>(
      test,
      `WITH claimed AS (UPDATE wallets SET claimed_at = now() WHERE user_id = $1 RETURNING environment_id, id, user_id)
       INSERT INTO wallet_delegations (environment_id, wallet_id, id, user_id, credential_hash, access, expires_at)
       SELECT environment_id, id, gen_random_uuid(), user_id, $2, $3, now() + interval '1 day' FROM claimed
       RETURNING wallet_id AS "walletId"`,
      [made.body.user.id, createHash('sha256').update(credential).digest(), access],
    );
    const path = world.path(`/waas/${given!.walletId}/delegatedAccess`);
    const server = await world.mint(['waas.delegatedAccess.signMessage']);
    const headers = { 'x-delegation-credential': credential.toString('base64url') };
    const sign = () => elsewhere(server).post<Refusal>(`${path}/signMessage`, { message: 'I agree.' }, { headers });
    // The setting may be remembered as it was.
    await eventually('the other instance knows the setting', async () => (await sign()).status === 200);
    await new TestClient(test.url, server).delete(path, { expect: 204 });
    expect(await lastOld(async () => (await sign()).status !== 200)).toBeLessThan(MAX_AGE_MS);
    expect((await sign()).body.code).toBe('no_delegated_access');
  });

  it('are tries of a code: they count together, and five are all there are', async () => {
    const email = newEmail();
    const verificationUUID = await world.sendCode(email);
    const code = world.code(email);
    const attempt = (url: string, verificationToken: string) =>
      new TestClient(url).post<Refusal>(world.sdk('/emailVerifications/signin'), {
        verificationUUID,
        verificationToken,
      });
    const urls = [test.url, other.url];
    const wrong = Array.from({ length: 50 }, (_, n) => attempt(urls[n % 2] ?? '', wrongCode(code, n + 1)));
    const codes = (await Promise.all(wrong)).map(({ body }) => body.code);
    expect(codes.filter((each) => each !== 'too_many_email_verification_attempts').length).toBeLessThanOrEqual(5);
    for (const url of urls) expect((await attempt(url, code)).status).not.toBe(200);
  });

  it('is a code that was redeemed: of a hundred tries on both at once one signs in', async () => {
    const email = newEmail();
    const verificationUUID = await world.sendCode(email);
    const body = { verificationUUID, verificationToken: world.code(email) };
    const tries = Array.from({ length: 100 }, (_, n) =>
      new TestClient(n % 2 ? test.url : other.url).post<Refusal>(world.sdk('/emailVerifications/signin'), body),
    );
    expect((await Promise.all(tries)).filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
