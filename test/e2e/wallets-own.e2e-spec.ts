import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World, newEmail, type SignedIn } from '../support/world.js';

type Json = Record<string, unknown>;
interface WalletJson {
  id: string;
  chain: string;
  publicKey: string;
  properties: Json;
}
interface Answer {
  code?: string;
  jwt: string;
  user: { id: string; walletPublicKey?: string; chain?: string; wallets: WalletJson[]; verifiedCredentials: Json[] };
}

const CALLERS = 50;
const provider = 'keyvaulthd';

describe('a signed-in user', () => {
  let test: TestApp;
  let world: World;
  const create = (token: string, embeddedWallets: Json[] | undefined) =>
    world.anonymous.post<Answer>(world.sdk('/users/embeddedWallets'), { embeddedWallets }, { token });
  const select = (token: string, walletId: string) =>
    world.anonymous.put<Answer>(world.sdk('/users/wallets/selection'), { walletId }, { token });
  const someone = (): Promise<SignedIn> => world.signIn(newEmail());
  const read = async (userId: string) =>
    (await world.api.get<{ user: Answer['user'] }>(world.path(`/users/${userId}`))).body.user;
  const toldOf = async (userId: string) =>
    (await eventsOf(test, world.environmentId)).filter(
      ({ name, data }) => name === 'wallet.created' && data['userId'] === userId,
    );

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  describe('makes embedded wallets', () => {
    it('of one seed, that are the own from the start, in the answer, the tokens and the events', async () => {
      const { jwt, userId } = await someone();
      const { status, body } = await create(jwt, [
        { embeddedWalletProvider: provider, chains: ['SOL', 'EVM'] },
        { embeddedWalletProvider: 'keyvault', chain: 'BTC' },
      ]);
      expect(status).toBe(201);
      const { wallets } = await read(userId);
      expect(wallets.map(({ chain }) => chain)).toEqual(['EVM', 'SOL', 'BTC']);
      expect(new Set(wallets.map(({ properties }) => properties['keyvaultHDWalletId'])).size).toBe(1);
      for (const { properties } of wallets) expect(properties).toMatchObject({ claimed: true, version: 'V1' });
      const ids = wallets.map(({ id }) => id);
      const inAnswer = body.user.verifiedCredentials.map((one) => one['embedded_wallet_id'] ?? one['id']);
      expect(inAnswer).toEqual(expect.arrayContaining(ids));
      const inToken = decodeJwt<{ verified_credentials: Json[] }>(body.jwt).verified_credentials;
      expect(inToken.map(({ address }) => address)).toEqual(
        expect.arrayContaining(wallets.map(({ publicKey }) => publicKey)),
      );
      expect((await toldOf(userId)).map(({ resourceId }) => resourceId)).toEqual(ids);
    });

    it('on the chains of the settings unless it names some', async () => {
      const { jwt, userId } = await someone();
      await create(jwt, [{ embeddedWalletProvider: provider }]);
      expect((await read(userId)).wallets.map(({ chain }) => chain)).toEqual(['EVM', 'SOL']);
    });

    it('on no chain when the settings enable none, unless it names some', async () => {
      const own = await World.create(test);
      const chains = JSON.stringify(['EVM', 'SOL'].map((name) => ({ name, enabled: false, primary: false })));
      await rowsOf(
        test,
        `UPDATE environment_settings SET settings = jsonb_set(settings, '{sdk,embeddedWallets,chainConfigurations}', $2)
         WHERE environment_id = $1`,
        [own.environmentId, chains],
      );
      const { jwt: token, userId } = await own.signIn(newEmail());
      const make = (asked: Json) => {
        const body = { embeddedWallets: [{ embeddedWalletProvider: provider, ...asked }] };
        return own.anonymous.post<Answer>(own.sdk('/users/embeddedWallets'), body, { token });
      };
      const refused = await make({});
      expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
      expect(await rowsOf(test, 'SELECT id FROM wallets WHERE user_id = $1', [userId])).toEqual([]);
      expect((await make({ chains: ['SUI'] })).status).toBe(201);
    });

    it(`once, asked for ${CALLERS} times at once: the others are told that they are there`, async () => {
      const { jwt, userId } = await someone();
      const asked = [{ embeddedWalletProvider: provider, chains: ['EVM', 'SUI'] }];
      const answers = await Promise.all(Array.from({ length: CALLERS }, () => create(jwt, asked)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(CALLERS - 1).fill(422)]);
      expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'linked_embedded_wallet']));
      expect((await read(userId)).wallets).toHaveLength(2);
      expect(await toldOf(userId)).toHaveLength(2);
      const seeds = 'SELECT id FROM wallet_seeds WHERE user_id = $1 AND destroy_after IS NULL';
      expect(await rowsOf(test, seeds, [userId])).toHaveLength(1);
    });

    it(`once, beside ${CALLERS} requests of a server for the same chains`, async () => {
      const { jwt, userId } = await someone();
      const request = { identifier: userId, type: 'id', chains: ['EVM', 'SOL'] };
      const [own] = await Promise.all([
        create(jwt, [{ embeddedWalletProvider: provider, chains: ['EVM', 'SOL'] }]),
        ...Array.from({ length: CALLERS }, () => world.api.post(world.path('/embeddedWallets'), request)),
      ]);
      expect([201, 422]).toContain(own.status);
      expect((await read(userId)).wallets).toHaveLength(2);
      expect(await toldOf(userId)).toHaveLength(2);
    });

    it('not when it has one, even a hidden one', async () => {
      const { jwt, userId } = await someone();
      await create(jwt, [{ embeddedWalletProvider: provider, chain: 'EVM' }]);
      const [made] = (await read(userId)).wallets;
      const again = () => create(jwt, [{ embeddedWalletProvider: provider, chain: 'SOL' }]);
      expect(await again()).toMatchObject({ status: 422, body: { code: 'linked_embedded_wallet' } });
      const hidden = world.sdk(`/users/embeddedWallets/${made!.id}/softDelete`);
      await world.anonymous.delete(hidden, { token: jwt, expect: 204 });
      expect(await again()).toMatchObject({ status: 422, body: { code: 'linked_embedded_wallet' } });
      expect((await read(userId)).wallets).toEqual([]);
    });

    it.each<[string, Json[] | undefined, number, string]>([
      ['nothing', undefined, 400, 'validation_failed'],
      ['an empty list', [], 400, 'validation_failed'],
      ['no provider', [{ chain: 'EVM' }], 400, 'validation_failed'],
      ['an unknown chain', [{ embeddedWalletProvider: provider, chain: 'DOGE' }], 400, 'validation_failed'],
      [
        'a passkey',
        [{ embeddedWalletProvider: provider, isAuthenticatorAttached: true }],
        422,
        'wallet_not_support_passkey',
      ],
      [
        'a session key',
        [{ embeddedWalletProvider: provider, sessionPublicKey: '02ab' }],
        422,
        'invalid_session_public_key',
      ],
      [
        'a version without a custodian',
        [{ embeddedWalletProvider: 'platformWaas' }],
        422,
        'no_compatible_wallet_service_enabled',
      ],
      [
        'providers of different versions',
        [{ embeddedWalletProvider: 'platformWaas' }, { embeddedWalletProvider: provider }],
        422,
        'conflicting_embedded_wallet_providers',
      ],
    ])('never with %s', async (_, asked, status, code) => {
      const { jwt, userId } = await someone();
      expect(await create(jwt, asked)).toMatchObject({ status, body: { code } });
      expect((await read(userId)).wallets).toEqual([]);
      expect(await rowsOf(test, 'SELECT id FROM wallet_seeds WHERE user_id = $1', [userId])).toEqual([]);
    });
  });

  it('claims a wallet that was made for it ahead while that is shown, and not while it is hidden', async () => {
    const email = newEmail();
    const request = { identifier: email, type: 'email', chains: ['EVM'] };
    const { body: ahead } = await world.api.post<Answer>(world.path('/embeddedWallets'), request, { expect: 201 });
    const { id: walletId } = ahead.user.wallets[0]!;
    const { jwt: token, userId } = await world.signIn(email);
    const claim = () =>
      world.anonymous.put<Answer>(world.sdk('/users/embeddedWallets/passcode/claim'), { walletId }, { token });
    const hidden = world.sdk(`/users/embeddedWallets/${walletId}/softDelete`);
    await world.anonymous.delete(hidden, { token, expect: 204 });
    expect(await claim()).toMatchObject({ status: 422, body: { code: 'invalid_wallet_id' } });
    await world.api.post(world.path('/wallets/recover'), { userId }, { expect: 200 });
    expect((await read(userId)).wallets).toMatchObject([{ properties: { claimed: false } }]);
    expect((await claim()).status).toBe(200);
    expect((await read(userId)).wallets).toMatchObject([{ properties: { claimed: true } }]);
  });

  describe('chooses the wallet it is known by', () => {
    it('in answers, tokens and one event', async () => {
      const { jwt, userId } = await someone();
      await create(jwt, [{ embeddedWalletProvider: provider, chains: ['EVM', 'SOL'] }]);
      const before = await read(userId);
      const [evm, sol] = before.wallets;
      expect(before).toMatchObject({ walletPublicKey: evm!.publicKey, chain: 'EVM' });
      for (const wallet of [sol!, evm!]) {
        const chosen = await select(jwt, wallet.id.toUpperCase());
        expect(decodeJwt(chosen.body.jwt)['verified_account']).toMatchObject({ address: wallet.publicKey });
        expect(chosen.status).toBe(200);
        const credentials = chosen.body.user.verifiedCredentials;
        expect(credentials.find(({ address }) => address === wallet.publicKey)).toHaveProperty('lastSelectedAt');
        expect(await read(userId)).toMatchObject({ walletPublicKey: wallet.publicKey, chain: wallet.chain });
      }
      const told = (await eventsOf(test, world.environmentId, userId)).filter(({ name }) => name === 'user.updated');
      expect(told.map(({ data }) => data['walletPublicKey'])).toEqual([sol!.publicKey, evm!.publicKey]);
      const [row] = await rowsOf<{ at: Date | null }>(
        test,
        'SELECT last_selected_at AS at FROM wallets WHERE id = $1',
        [evm!.id],
      );
      expect(row!.at).not.toBeNull();
    });

    it('which is the same after it was hidden and is back', async () => {
      const { jwt, userId } = await someone();
      await create(jwt, [{ embeddedWalletProvider: provider, chains: ['EVM', 'SOL'] }]);
      const sol = (await read(userId)).wallets[1]!;
      expect((await select(jwt, sol.id)).status).toBe(200);
      const path = world.sdk(`/users/embeddedWallets/${sol.id}`);
      await world.anonymous.delete(`${path}/softDelete`, { token: jwt, expect: 204 });
      expect(await read(userId)).toMatchObject({ chain: 'EVM' });
      await world.api.post(world.path('/wallets/recover'), { userId }, { expect: 200 });
      const back = await read(userId);
      expect(back).toMatchObject({ walletPublicKey: sol.publicKey, chain: 'SOL' });
      expect(back.verifiedCredentials.find(({ address }) => address === sol.publicKey)).toHaveProperty(
        'lastSelectedAt',
      );
    });

    it('among its own that are not hidden', async () => {
      const [mine, other] = [await someone(), await someone()];
      for (const { jwt } of [mine, other]) await create(jwt, [{ embeddedWalletProvider: provider, chain: 'EVM' }]);
      const { id } = (await read(mine.userId)).wallets[0]!;
      const theirs = (await read(other.userId)).wallets[0]!;
      const hidden = world.sdk(`/users/embeddedWallets/${id}/softDelete`);
      await world.anonymous.delete(hidden, { token: mine.jwt, expect: 204 });
      for (const wrong of [id, theirs.id, randomUUID(), 'none', '']) {
        expect(await select(mine.jwt, wrong)).toMatchObject({ status: 422, body: { code: 'invalid_wallet_id' } });
      }
    });
  });
});
