import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseKeyRing } from '../../src/vault/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { listEvents } from '../support/events.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { accountsOf, openEntropy, storedSeeds } from '../support/wallet-keys.js';
import { World, newEmail } from '../support/world.js';

type Json = Record<string, unknown>;
interface WalletJson {
  id: string;
  chain: string;
  publicKey: string;
  properties: Json;
}
interface OneUser {
  user: Json & { id: string; wallets: WalletJson[]; verifiedCredentials: Json[] };
}

const ALL = ['EVM', 'SOL', 'SUI', 'BTC'];
const swiss = { isoCountryCode: 'CH', phoneCountryCode: '41' };
const newPhone = () => `446${randomInt(100_000, 999_999)}`;
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe('embedded wallets', () => {
  let test: TestApp;
  let world: World;
  const prepare = (body: Json, owner = world) => owner.api.post<OneUser & Json>(owner.path('/embeddedWallets'), body);
  const prepareForFrame = (body: Json) => world.api.post<OneUser & Json>(world.path('/embeddedWallets/frameapp'), body);
  const count = async () => (await world.api.get<{ count: number }>(world.path('/users?limit=1'))).body.count;
  const chainsOf = ({ user }: OneUser) => user.wallets.map(({ chain }) => chain);

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  describe('are made for a user named by', () => {
    it.each<[string, () => Json, Json]>([
      ['email', () => ({ identifier: newEmail() }), { format: 'email', email: expect.any(String) }],
      [
        'phoneNumber',
        () => ({ identifier: newPhone(), smsCountryCode: swiss }),
        { format: 'phoneNumber', phoneCountryCode: '41' },
      ],
      ['externalUserId', () => ({ identifier: `ext ${randomUUID()}` }), { format: 'externalUser' }],
      [
        'socialUsername',
        () => ({ identifier: `@Name${randomUUID()}`, socialProvider: 'twitter' }),
        { format: 'oauth', oauth_provider: 'twitter', oauth_username: expect.any(String) },
      ],
      [
        'socialAccountId',
        () => ({ identifier: randomUUID(), socialProvider: 'github' }),
        { format: 'oauth', oauth_provider: 'github', oauth_account_id: expect.any(String) },
      ],
    ])('%s, who is made when unknown: 201, and 200 with the same body ever after', async (type, named, credential) => {
      const before = await count();
      const request = { ...named(), type, chains: ALL };
      const first = await prepare(request);
      expect(first.status).toBe(201);
      expect(chainsOf(first.body)).toEqual(ALL);
      expect(first.body.user.verifiedCredentials[0]).toMatchObject({ ...credential, signInEnabled: false });
      for (let again = 0; again < 2; again++) {
        const { status, body } = await prepare(request);
        expect({ status, body }).toEqual({ status: 200, body: first.body });
      }
      expect(await count()).toBe(before + 1);
      const told = (await eventsOf(test, world.environmentId)).filter(
        ({ resourceId, data }) => resourceId === first.body.user.id || data['userId'] === first.body.user.id,
      );
      expect(told.map(({ name }) => name)).toEqual(['user.created', ...ALL.map(() => 'wallet.created')]);
    });

    it('id, who must exist', async () => {
      const made = await world.api.post<OneUser>(world.path('/users'), { alias: 'known' });
      const request = { identifier: made.body.user.id.toUpperCase(), type: 'id' };
      const first = await prepare(request);
      expect(first).toMatchObject({ status: 201, body: { user: { id: made.body.user.id, alias: 'known' } } });
      expect(await prepare(request)).toMatchObject({ status: 200, body: first.body });
      const before = await count();
      const foreign = await World.create(test);
      const other = await foreign.api.post<OneUser>(foreign.path('/users'), {});
      for (const identifier of [randomUUID(), 'nobody', other.body.user.id]) {
        expect(await prepare({ identifier, type: 'id' })).toMatchObject({
          status: 422,
          body: { code: 'invalid_user' },
        });
      }
      expect(await count()).toBe(before);
    });

    it('one identifier in different spellings, who stays one user', async () => {
      const email = newEmail();
      const phone = newPhone();
      const name = `name${randomUUID()}`;
      const spellings: Json[][] = [
        [email, email.toUpperCase(), ` ${email} `].map((identifier) => ({ identifier, type: 'email' })),
        [phone, `0${phone}`, `+41${phone}`].map((identifier) => ({
          identifier,
          type: 'phoneNumber',
          smsCountryCode: swiss,
        })),
        [name, `@${name.toUpperCase()}`].map((identifier) => ({
          identifier,
          type: 'socialUsername',
          socialProvider: 'twitter',
        })),
      ];
      for (const requests of spellings) {
        const users = new Set<string>();
        for (const request of requests) users.add((await prepare(request)).body.user.id);
        expect(users.size).toBe(1);
      }
    });

    it('an email that an API call gave before, who is that user', async () => {
      const email = newEmail();
      const { body } = await world.api.post<OneUser>(world.path('/users'), { email, alias: 'before' });
      const { status, body: prepared } = await prepare({ identifier: email, type: 'email' });
      expect(status).toBe(201);
      expect(prepared.user).toMatchObject({ id: body.user.id, alias: 'before' });
      await world.api.post(world.path('/users'), { email }, { expect: 201 });
      expect(await prepare({ identifier: email, type: 'email' })).toMatchObject({ status: 422 });
    });

    it.each<[string, Json, number, string]>([
      ['a phone number without its country', { identifier: newPhone(), type: 'phoneNumber' }, 400, 'validation_failed'],
      ['a social account without its provider', { identifier: '1', type: 'socialAccountId' }, 400, 'validation_failed'],
      ['a social name without its provider', { identifier: 'a', type: 'socialUsername' }, 400, 'validation_failed'],
      ['nothing', { identifier: '  ', type: 'email' }, 400, 'validation_failed'],
      ['256 characters', { identifier: 'x'.repeat(256), type: 'externalUserId' }, 400, 'validation_failed'],
      ['an unknown type', { identifier: 'x', type: 'passport' }, 400, 'validation_failed'],
      ['a text that is no email', { identifier: 'not an email', type: 'email' }, 422, 'invalid_email'],
      [
        'a text that is no number',
        { identifier: '12', type: 'phoneNumber', smsCountryCode: swiss },
        422,
        'invalid_phone',
      ],
      ['an unknown chain', { identifier: newEmail(), type: 'email', chains: ['DOGE'] }, 400, 'validation_failed'],
    ])('but not for %s', async (_, body, status, code) => {
      const before = await count();
      expect(await prepare(body)).toMatchObject({ status, body: { code } });
      expect(await count()).toBe(before);
    });
  });

  describe('for a frame', () => {
    const fid = () => randomInt(1, 2 ** 47);

    it('belong to the user of the fid, else of the email, else to a new one', async () => {
      const [email, account] = [newEmail(), fid()];
      const first = await prepareForFrame({ email, fid: account, chains: ['EVM', 'SOL'] });
      expect(first.status).toBe(201);
      expect(chainsOf(first.body)).toEqual(['EVM', 'SOL']);
      expect(first.body.user.verifiedCredentials.slice(0, 2)).toMatchObject([
        { format: 'email', email, signInEnabled: false },
        { format: 'oauth', oauth_provider: 'farcaster', oauth_account_id: String(account), signInEnabled: false },
      ]);
      expect(await prepareForFrame({ email, fid: account, chains: ['SOL', 'EVM'] })).toMatchObject({
        status: 200,
        body: first.body,
      });
      const known = await prepareForFrame({ email: newEmail(), fid: account, chains: ['EVM'] });
      expect(known).toMatchObject({ status: 200, body: { user: { id: first.body.user.id } } });
      const byEmail = newEmail();
      const ahead = await prepare({ identifier: byEmail, type: 'email', chains: ['EVM'] });
      const later = await prepareForFrame({ email: byEmail, fid: fid(), chains: ['EVM'] });
      expect(later.body.user.id).toBe(ahead.body.user.id);
    });

    it.each([0, -1, 1.5, 2 ** 53])('are refused for the fid %d', async (wrong) => {
      const answer = await prepareForFrame({ email: newEmail(), fid: wrong, chains: ['EVM'] });
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    });

    it('are refused without an email or chains', async () => {
      expect((await prepareForFrame({ fid: fid(), chains: ['EVM'] })).status).toBe(400);
      expect((await prepareForFrame({ email: newEmail(), fid: fid() })).status).toBe(400);
    });
  });

  describe('are made on the chains', () => {
    it('that the request names, each once', async () => {
      const named = async (choice: Json) =>
        chainsOf((await prepare({ identifier: newEmail(), type: 'email', ...choice })).body);
      expect(await named({ chain: 'BTC' })).toEqual(['BTC']);
      expect(await named({ chains: ['SOL', 'EVM', 'SOL'], chain: 'EVM' })).toEqual(['EVM', 'SOL']);
      expect(await named({ chains: ['SUI'], chain: 'BTC' })).toEqual(['SUI', 'BTC']);
    });

    it('that the settings enable when the request names none, and on EVM when they name none', async () => {
      const own = await World.create(test);
      const byDefault = async () => chainsOf((await prepare({ identifier: newEmail(), type: 'email' }, own)).body);
      expect(await byDefault()).toEqual(['EVM', 'SOL']);
      for (const [enabled, expected] of [
        [
          ['SUI', 'BTC'],
          ['SUI', 'BTC'],
        ],
        [[], ['EVM']],
      ] as const) {
        await rowsOf(
          test,
          `UPDATE environment_settings SET settings = jsonb_set(settings, '{sdk,embeddedWallets,chainConfigurations}', $2)
           WHERE environment_id = $1`,
          [own.environmentId, JSON.stringify(enabled.map((name) => ({ name, enabled: true, primary: false })))],
        );
        await new Promise((resolve) => setTimeout(resolve, 1_050));
        expect(await byDefault()).toEqual(expected);
      }
    });

    it('one after the other, from one seed', async () => {
      const identifier = newEmail();
      const first = await prepare({ identifier, type: 'email', chain: 'EVM' });
      const second = await prepare({ identifier, type: 'email', chains: ALL });
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body.user.wallets[0]).toEqual(first.body.user.wallets[0]);
      expect(chainsOf(second.body)).toEqual(ALL);
      const seeds = second.body.user.wallets.map(({ properties }) => properties['keyvaultHDWalletId']);
      expect(new Set(seeds).size).toBe(1);
    });
  });

  it('have the addresses that independent libraries derive from the same seed', async () => {
    const vault = parseKeyRing(test.masterKey);
    for (let round = 0; round < 5; round++) {
      const { body } = await prepare({ identifier: newEmail(), type: 'email', chains: ALL });
      const [seed] = await storedSeeds(test.databaseUrl, body.user.id);
      const expected = await accountsOf(await openEntropy(vault, seed!));
      expect(body.user.wallets.map(({ chain, publicKey }) => [chain, publicKey])).toEqual(
        expected.map(({ chain, address }) => [chain, address]),
      );
    }
  });

  it('are shown with their records and told as they are shown', async () => {
    const { body } = await prepare({ identifier: newEmail(), type: 'email', chain: 'SUI' });
    const [wallet] = body.user.wallets;
    expect(wallet).toEqual({
      id: uuid,
      name: 'Embedded wallet',
      chain: 'SUI',
      publicKey: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      provider: 'embeddedWallet',
      properties: {
        keyvaultSubOrganizationId: uuid,
        keyvaultHDWalletId: uuid,
        keyvaultUserId: uuid,
        isAuthenticatorAttached: false,
        isSessionKeyCompatible: true,
        version: 'V1',
        derivationPath: "m/44'/784'/0'/0'/0'",
        claimed: false,
      },
    });
    expect(body.user).toMatchObject({ walletPublicKey: wallet!.publicKey, chain: 'SUI' });
    const [told] = await listEvents(world, 'wallet.created');
    expect(told).toMatchObject({ resourceType: 'wallet', context: {} });
    expect(told!.data).toEqual({ ...wallet, userId: body.user.id });
  });
});
