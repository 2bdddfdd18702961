import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DevInbox } from '../../src/providers/index.js';
import { Accounts, codeOf, type AccountAnswer } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import type { Answer } from '../support/client.js';
import { bringKey, openImport } from '../support/imported-key.js';
import { rowsOf } from '../support/rows.js';
import { addDevice, allowSecondFactors, codeOf as totpOf } from '../support/second-factor.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newStamper, type Stamper } from '../support/stamper.js';
import { addSite, keySignIn } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

let test: TestApp;
let world: World;
let accounts: Accounts;
let list: string;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
  accounts = new Accounts(world);
  await addSite(world);
  await allowSecondFactors(world);
  const members = { name: 'Members', outcome: 'block' };
  list = (await world.api.post<{ id: string }>(world.path('/allowlists'), members, { expect: 201 })).body.id;
});
afterAll(() => test.close());

const switchList = (to: 'enable' | 'disable') => world.api.put(`/allowlists/${list}/${to}`, undefined, { expect: 200 });

/** All that is stored about the people of the environment. */
async function stored(): Promise<string> {
  const tables = [
    'users',
    'credentials',
    'identifier_claims',
    'sessions',
    'wallets',
    'mfa_tokens',
    'user_merges',
    'device_confirmations',
    'device_registrations',
    'key_share_sets',
    'events',
  ];
  const rows = tables.map(
    (table) => `SELECT '${table} ' || to_jsonb(t)::text AS row FROM ${table} t WHERE t.environment_id = $1`,
  );
  const found = await rowsOf<{ row: string }>(test, `${rows.join(' UNION ALL ')} ORDER BY 1`, [world.environmentId]);
  return found.map(({ row }) => row).join('\n');
}

type Call = () => Promise<Answer<AccountAnswer>>;

type Person = SignedIn & { stamper: Stamper };

const makeWallets = async ({ jwt }: SignedIn, chain: string): Promise<void> => {
  const body = { embeddedWallets: [{ chains: [chain], embeddedWalletProvider: 'keyvaulthd' }] };
  expect((await accounts.post('/users/embeddedWallets', jwt, body)).status).toBe(201);
};

/** Prepares a change, to be made once the person is no longer let in. */
const CHANGES: [string, (ada: Person) => Promise<Call>][] = [
  [
    'linking an address',
    async ({ jwt }) => {
      const email = newEmail();
      const verificationUUID = await world.sendCode(email);
      const body = { verificationUUID, verificationToken: world.code(email) };
      return () => accounts.post('/emailVerifications/verify', jwt, body);
    },
  ],
  [
    'linking a wallet',
    async ({ jwt }) => {
      const body = await keySignIn(world);
      return () => accounts.post('/verify/link', jwt, body);
    },
  ],
  [
    'unlinking an address',
    async ({ jwt }) => {
      const { user } = (await accounts.verifyEmail(jwt, newEmail())).body;
      const body = { verifiedCredentialId: user.verifiedCredentials.at(-1)!.id };
      return () => accounts.post('/verify/unlink', jwt, body);
    },
  ],
  [
    'moving a wallet',
    async ({ jwt }) => {
      const { key, answer } = await accounts.walletOwner();
      const email = newEmail();
      await accounts.verifyEmail(answer.jwt, email);
      await world.api.post(`/allowlists/${list}/entries`, { email }, { expect: 201 });
      const body = await keySignIn(world, key);
      return () => accounts.post('/verify/transfer', jwt, body);
    },
  ],
  [
    'a change of the profile',
    ({ jwt }) =>
      Promise.resolve(() => world.anonymous.put<AccountAnswer>(world.sdk('/users'), { alias: 'Ada' }, { token: jwt })),
  ],
  [
    'selecting a wallet',
    async ({ jwt }) => {
      await accounts.post('/verify/link', jwt, await keySignIn(world));
      const { user } = (await accounts.post('/verify/link', jwt, await keySignIn(world))).body;
      const [wallet] = (await accounts.user(user.id))['wallets'] as { id: string }[];
      return () =>
        world.anonymous.put<AccountAnswer>(
          world.sdk('/users/wallets/selection'),
          { walletId: wallet!.id },
          { token: jwt },
        );
    },
  ],
  [
    'creating an embedded wallet',
    async ({ jwt }) => {
      const body = { embeddedWallets: [{ chains: ['EVM'], embeddedWalletProvider: 'keyvaulthd' }] };
      return () => accounts.post('/users/embeddedWallets', jwt, body);
    },
  ],
  [
    'sharing the keys of wallets',
    async (ada) => {
      await makeWallets(ada, 'SOL');
      return () => accounts.post('/users/embeddedWallets/upgradeToV2', ada.jwt, {});
    },
  ],
  [
    'claiming a wallet that was made ahead',
    async ({ jwt, userId }) => {
      const body = { identifier: userId, type: 'id', chains: ['EVM'] };
      const made = await world.api.post<AccountAnswer>(world.path('/embeddedWallets'), body, { expect: 201 });
      const [wallet] = made.body.user['wallets'] as { id: string }[];
      const path = world.sdk('/users/embeddedWallets/passcode/claim');
      return () => world.anonymous.put<AccountAnswer>(path, { walletId: wallet!.id }, { token: jwt });
    },
  ],
  [
    'adding an account to a wallet',
    async (ada) => {
      await makeWallets(ada, 'EVM');
      const path = world.sdk('/users/embeddedWallets/walletAccounts/createRequest?chain=SOL');
      const asked = await world.anonymous.get(path, { token: ada.jwt, expect: 200 });
      const body = { keyvaultSignedRequest: ada.stamper.stamp(asked.body) };
      return () => accounts.post('/users/embeddedWallets/walletAccounts', ada.jwt, body);
    },
  ],
  [
    'giving a second factor',
    async ({ jwt }) => {
      const { secret } = await addDevice(world, jwt);
      const body = { code: totpOf(secret), createMfaToken: { singleUse: true } };
      return () => accounts.post('/users/mfa/auth/totp', jwt, body);
    },
  ],
];

describe('somebody who is no longer let in', () => {
  it.each(CHANGES)('is refused, and nothing is changed: %s', async (_, prepare) => {
    const [email, stamper] = [newEmail(), newStamper()];
    const ada = await world.signIn(email, { sessionPublicKey: stamper.publicKey });
    const change = await prepare({ ...ada, stamper });
    await world.signIn(email);
    await switchList('enable');
    try {
      const before = await stored();
      const refused = await change();
      expect([refused.status, codeOf(refused)]).toEqual([403, 'access_denied']);
      expect(await stored()).toBe(before);
    } finally {
      await switchList('disable');
    }
    expect((await change()).status).toBeLessThan(300);
  });

  it('is refused, and nothing is changed: importing a key, which has to be asked for again', async () => {
    const [ada, key] = [await world.signIn(newEmail()), randomBytes(32)];
    const importIt = await openImport(world, ada, key);
    await switchList('enable');
    try {
      const before = await stored();
      const refused = await importIt();
      expect([refused.status, codeOf(refused)]).toEqual([403, 'access_denied']);
      expect(await stored()).toBe(before);
    } finally {
      await switchList('disable');
    }
    expect((await importIt()).status).toBe(404);
    expect((await bringKey(world, ada, key)).status).toBe(201);
  });

  it('is refused, and nothing is changed: confirming a device', async () => {
    const confirmNewDevices = (on: boolean) =>
      world.api.put(world.path(''), { security: { confirmNewDevices: on } }, { expect: 200 });
    const email = newEmail();
    await confirmNewDevices(true);
    try {
      await world.signIn(email, { sessionPublicKey: 'the first one' });
      const { jwt } = await world.signIn(email, { sessionPublicKey: 'another' });
      const mail = test.app
        .get(DevInbox)
        .entries.find(({ to, subject }) => to === email && /device/.test(subject ?? ''));
      const headers = { 'x-device-registration-token': mail!.code! };
      const confirm = () =>
        world.anonymous.post<AccountAnswer>(world.sdk('/deviceRegistration'), undefined, { token: jwt, headers });
      await switchList('enable');
      const before = await stored();
      const refused = await confirm();
      expect([refused.status, codeOf(refused)]).toEqual([403, 'access_denied']);
      expect(await stored()).toBe(before);
      await switchList('disable');
      expect((await confirm()).status).toBe(200);
    } finally {
      await switchList('disable');
      await confirmNewDevices(false);
    }
  });
});
