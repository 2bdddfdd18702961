import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { SigningKeys } from '../../src/environments/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

const isRefused = { status: 401, body: { code: 'unauthorized' } };

describe('short tokens for wallets', () => {
  let test: TestApp;
  let world: World;
  let user: SignedIn;

  const call = (token: string) => world.anonymous.withToken(token);
  const wallets = (rest: string) => world.sdk(`/users/embeddedWallets${rest}`);
  const waas = (rest: string) => world.path(`/waas${rest}`);

  async function createWallet(): Promise<string> {
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    await call(user.jwt).post(wallets(''), { embeddedWallets }, { expect: 201 });
    const { body } = await world.api.get<{ user: { wallets: { id: string }[] } }>(world.path(`/users/${user.userId}`));
    return body.user.wallets[0]!.id;
  }

  /** Another token by the key of the environment, with one claim or header changed. */
  async function resigned(token: string, claims: object, header: object = {}): Promise<string> {
    const { kid, privateKey } = await test.app.get(SigningKeys).signer(world.environmentId);
    const { typ } = decodeProtectedHeader(token);
    const head = { alg: 'RS256', kid, typ: typ!, ...header };
    return new SignJWT({ ...decodeJwt(token), ...claims }).setProtectedHeader(head).sign(privateKey);
  }

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    world = await World.create(test);
    user = await world.signIn(newEmail());
  });

  describe('of a user', () => {
    let walletId: string;

    const tokenFor = async (query = '', jwt = user.jwt) =>
      (await call(jwt).get<{ token: string }>(wallets(`/authToken${query}`), { expect: 200 })).body.token;
    const sign = (token: string) =>
      call(token).post<{ signature: string }>(wallets(`/${walletId}/sign`), { kind: 'message', message: 'I agree.' });

    beforeEach(async () => {
      walletId = await createWallet();
    });

    it('opens the wallets of the user for five minutes, in either form of the session', async () => {
      for (const jwt of [user.jwt, user.minifiedJwt]) {
        const token = await tokenFor('', jwt);
        expect((await sign(token)).status).toBe(200);
        const { iat, exp, sub } = decodeJwt(token);
        expect([exp! - iat!, sub]).toEqual([300, user.userId]);
      }
    });

    it('goes with the site of its session', async () => {
      const page = 'https://shop.example.com';
      const add = async () =>
        (await world.owner.post<{ origin: { id: string } }>(world.path('/origins'), { origin: page }, { expect: 201 }))
          .body.origin.id;
      const id = await add();
      user = await world.signIn(user.email, { headers: { origin: page } });
      const token = await tokenFor();
      expect((await sign(token)).status).toBe(200);
      await world.owner.delete(`/origins/${id}`, { expect: 204 });
      expect(await sign(token)).toMatchObject(isRefused);
      await add();
      expect((await sign(token)).status).toBe(200);
    });

    it('opens nothing else: not the session, not itself, nothing that answers with tokens', async () => {
      const token = await tokenFor();
      for (const answer of [
        await call(token).get(wallets('/authToken')),
        await call(token).post(world.sdk('/refresh'), {}),
        await call(token).post(world.sdk('/revoke'), undefined),
        await call(token).get(world.sdk('/users')),
        await call(token).put(world.sdk('/users/wallets/selection'), { walletId }),
        await call(token).post(wallets(''), {
          embeddedWallets: [{ embeddedWalletProvider: 'keyvaulthd', chains: ['SOL'] }],
        }),
        await call(token).get(world.path('/users')),
        await call(token).post(waas('/verifyApiKey'), undefined),
      ]) {
        expect(answer).toMatchObject(isRefused);
      }
      expect((await sign(user.jwt)).status).toBe(200);
    });

    it('of the type mpc opens only what is for shared keys and exports', async () => {
      const token = await tokenFor('?type=mpc');
      expect(await sign(token)).toMatchObject(isRefused);
      const key = await call(token).get(world.sdk('/waas/delegatedAccess/encryptionPublicKey'));
      expect(key.status).toBe(404);
      expect((await call(user.jwt).get(wallets('/authToken?type=other'))).status).toBe(400);
    });

    it('ends with the session, and with the token of the session that it was asked for with', async () => {
      const token = await tokenFor();
      await call(user.jwt).post(world.sdk('/revoke'), undefined, { expect: 204 });
      expect(await sign(token)).toMatchObject(isRefused);
    });

    it('is good for its time, environment, session, user and type alone', async () => {
      const token = await tokenFor();
      const now = Math.floor(Date.now() / 1000);
      const other = await world.signIn(newEmail());
      const { live } = world.ids.environments;
      expect((await sign(await resigned(token, {}))).status).toBe(200);
      for (const changed of [
        await resigned(token, { iat: now - 301, exp: now - 1 }),
        await resigned(token, { environment_id: live }),
        await resigned(token, { aud: decodeJwt(token).iss }),
        await resigned(token, { purpose: 'waas' }),
        await resigned(token, { sub: other.userId }),
        await resigned(token, { sid: other.sessionId }),
        await resigned(token, { session_jti: crypto.randomUUID() }),
        await resigned(token, {}, { typ: 'JWT' }),
        await resigned(user.minifiedJwt, {}, { typ: 'wallets+jwt' }),
        `${token.slice(0, -4)}AAAA`,
      ]) {
        expect(await sign(changed)).toMatchObject(isRefused);
      }
    });

    it('keeps what the session may, so that no outstanding step is passed by', async () => {
      const token = await tokenFor();
      const partial = await sign(await resigned(token, { scope: 'requiresAdditionalAuth' }));
      expect(partial).toMatchObject({ status: 403, body: { code: 'session_incomplete' } });
      expect(decodeJwt(token)['scope']).toBe(decodeJwt(user.jwt)['scope']);
    });

    it('is not taken as a cookie', async () => {
      const other = await World.create(test);
      await rowsOf(
        test,
        `UPDATE environment_settings SET settings = jsonb_set(settings, '{security,auth,storage}', '["cookie"]')
         WHERE environment_id = $1`,
        [other.environmentId],
      );
      const { headers } = await other.signIn(newEmail());
      const [name, value] = headers.getSetCookie()[0]!.split(';')[0]!.split('=') as [string, string];
      const read = <T>(path: string, cookie: string) =>
        other.anonymous.get<T>(other.sdk(`/users/embeddedWallets${path}`), {
          headers: { cookie: `${name}=${cookie}` },
        });
      const { body, status } = await read<{ token: string }>('/authToken', value);
      expect(status).toBe(200);
      expect((await read('/deleteRequest', value)).status).toBe(404);
      expect(await read('/deleteRequest', body.token)).toMatchObject(isRefused);
    });
  });

  describe('of a server', () => {
    interface Exchanged {
      message: string;
      encodedJwts: { jwt: string; minifiedJwt: string };
    }
    const exchange = async (token: string) =>
      (await call(token).post<Exchanged>(waas('/authenticate'), undefined, { expect: 200 })).body.encodedJwts;
    const keys = (token: string) => call(token).get(waas('/delegatedAccess/encryptionPublicKeys'));

    it('opens what the API token opens of wallets, and nothing else', async () => {
      const { jwt, minifiedJwt } = await exchange(await world.mint(['waas.authenticate', 'environment.settings.read']));
      for (const token of [jwt, minifiedJwt]) {
        expect((await keys(token)).status).toBe(200);
        expect(await call(token).get(world.path(''))).toMatchObject(isRefused);
        expect(await call(token).post(waas('/authenticate'), undefined)).toMatchObject(isRefused);
        expect(await call(token).post(waas('/verifyApiKey'), undefined)).toMatchObject(isRefused);
        expect(await call(token).get(wallets('/authToken'))).toMatchObject(isRefused);
      }
      expect(decodeJwt(jwt)['scope']).toBe('waas.authenticate environment.settings.read');
      expect(decodeJwt(minifiedJwt)['scope']).toBeUndefined();
    });

    it('may do no more than its API token', async () => {
      const { jwt } = await exchange(await world.mint(['waas.authenticate']));
      expect((await keys(jwt)).status).toBe(403);
      const promoted = await resigned(jwt, { scope: 'environment.settings.read' });
      expect((await keys(promoted)).status).toBe(403);
    });

    it.each<[string, (tokenId: string) => Promise<unknown>]>([
      ['is deleted', (tokenId) => world.api.delete(world.path(`/tokens/${tokenId}`), { expect: 204 })],
      ['expires', (tokenId) => rowsOf(test, 'UPDATE api_tokens SET expires_at = now() WHERE id = $1', [tokenId])],
    ])('ends with its API token, in the call after that %s', async (_, end) => {
      const token = await world.mint(['waas.authenticate', 'environment.settings.read']);
      const { jwt } = await exchange(token);
      expect((await keys(jwt)).status).toBe(200);
      await end(decodeJwt(jwt).sub!);
      expect(await keys(jwt)).toMatchObject(isRefused);
    });

    it('is of one environment, whichever the path names', async () => {
      const { jwt } = await exchange(await world.mint(['waas.authenticate', 'environment.settings.read']));
      const other = await World.create(test);
      for (const environmentId of [world.ids.environments.live, other.environmentId, crypto.randomUUID()]) {
        const answer = await call(jwt).get(`/environments/${environmentId}/waas/delegatedAccess/encryptionPublicKeys`);
        expect(answer.status).toBe(401);
      }
      const theirs = await resigned(jwt, { sub: decodeJwt((await theirExchange(other)).jwt).sub });
      expect(await keys(theirs)).toMatchObject(isRefused);
    });

    const theirExchange = async (other: World) =>
      (
        await other.anonymous
          .withToken(await other.mint(['waas.authenticate', 'environment.settings.read']))
          .post<Exchanged>(other.path('/waas/authenticate'), undefined, { expect: 200 })
      ).body.encodedJwts;

    it('is good for its time and type alone', async () => {
      const { jwt } = await exchange(world.token);
      const now = Math.floor(Date.now() / 1000);
      expect((await keys(await resigned(jwt, {}))).status).toBe(200);
      for (const changed of [
        await resigned(jwt, { iat: now - 301, exp: now - 1 }),
        await resigned(jwt, {}, { typ: 'JWT' }),
        await resigned(jwt, {}, { typ: 'wallets+jwt' }),
        await resigned(jwt, { purpose: 'wallets' }),
        await resigned(user.jwt, {}, { typ: 'waas+jwt' }),
      ]) {
        expect(await keys(changed)).toMatchObject(isRefused);
      }
    });

    it('is given for an API token with the scope, and to no member', async () => {
      const without = await world.mint(['environment.settings.read']);
      expect((await call(without).post(waas('/authenticate'), undefined)).status).toBe(403);
      expect((await world.owner.post(waas('/authenticate'), undefined)).status).toBe(403);
    });
  });

  describe('verifyApiKey', () => {
    it('tells a good API token, a member, and what is neither', async () => {
      const { environmentId } = world;
      const bare = await world.mint([]);
      const good = await call(bare).post(waas('/verifyApiKey'), undefined);
      expect(good).toMatchObject({ status: 200, body: { environmentId, verified: true } });
      const member = await world.owner.post(waas('/verifyApiKey'), undefined);
      expect(member).toMatchObject({ status: 200, body: { environmentId, verified: false } });
      for (const token of [`${bare.slice(0, -1)}!`, user.jwt, 'x']) {
        const bad = await call(token).post<{ message: string }>(waas('/verifyApiKey'), undefined);
        expect(bad).toMatchObject({ status: 401, body: { code: 'unauthorized', verified: false } });
        expect(bad.body.message).not.toBe('');
      }
    });
  });
});
