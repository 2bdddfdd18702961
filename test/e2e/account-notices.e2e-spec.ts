import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Unmerges } from '../../src/identity/index.js';
import type { AccountChange } from '../../src/identity/notices/account-words.js';
import { LANGUAGES, wordsOf } from '../../src/identity/notices/languages.js';
import type { CredentialFormat } from '../../src/identity/vocabulary/users.js';
import { DevInbox } from '../../src/providers/index.js';
import { Accounts } from '../support/accounts.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { PasskeySite, type Person } from '../support/passkeys.js';
import { eventsOf } from '../support/rows.js';
import { allowSecondFactors, steadyDevice } from '../support/second-factor.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

const BRAND = 'Storefront';

let test: TestApp;
let world: World;
/** It asks about new devices. */
let strict: World;
let accounts: Accounts;
let site: PasskeySite;

beforeAll(async () => {
  test = await sharedTestApp();
  [world, strict] = [await World.create(test), await World.create(test)];
  for (const each of [world, strict])
    await each.api.put(each.path(''), { general: { emailCompanyName: BRAND } }, { expect: 200 });
  await strict.api.put(strict.path(''), { security: { confirmNewDevices: true } }, { expect: 200 });
  await allowSecondFactors(world);
  await addSite(world);
  site = await PasskeySite.register(world);
  accounts = new Accounts(world);
});
afterAll(() => test.close());

/** What was done, and who has to know. */
interface Told {
  change: AccountChange;
  /** What the mail calls by its name. */
  about?: CredentialFormat;
  to: readonly string[];
  /** The event, and the user it is about. */
  event: readonly [string, string];
  environmentId?: string;
}

const speaks = (userId: string, language: string, of = world) =>
  of.api.put(of.path(`/users/${userId}`), { metadata: { language } }, { expect: 200 });
async function somebody(language: string, of = world, more: { sessionPublicKey?: string } = {}): Promise<SignedIn> {
  const person = await of.signIn(newEmail(), more);
  await speaks(person.userId, language, of);
  return person;
}
async function passkeyOwner(language: string): Promise<Person> {
  const person = await site.person();
  await speaks(person.userId, language);
  return person;
}
const mfa = (rest: string) => world.sdk(`/users/mfa${rest}`);
const linkWallet = async ({ jwt }: Pick<SignedIn, 'jwt'>, key = newKey()) => {
  const { status, body } = await accounts.post('/verify/link', jwt, await keySignIn(world, key));
  expect(status).toBe(200);
  return body;
};
/** One person with two accounts, who makes them one. */
async function merged(language: string): Promise<{ ada: SignedIn; eve: SignedIn }> {
  const [ada, eve] = [await somebody(language), await somebody(language)];
  expect((await accounts.verifyEmail(ada.jwt, eve.email)).status).toBe(422);
  expect((await accounts.post('/users/merge', ada.jwt)).status).toBe(200);
  return { ada, eve };
}

const CHANGES: Record<string, (language: string) => Promise<Told[]>> = {
  'a new device': async (language) => {
    const { email, userId } = await somebody(language, strict, { sessionPublicKey: 'one' });
    const { jwt } = await strict.signIn(email, { sessionPublicKey: 'two' });
    const headers = { 'x-device-registration-token': strict.code(email) };
    await strict.anonymous.post(strict.sdk('/deviceRegistration'), undefined, { token: jwt, headers, expect: 200 });
    const { environmentId } = strict;
    return [{ change: 'deviceAdded', to: [email], event: ['device.registered', userId], environmentId }];
  },
  'a new credential': async (language) => {
    const ada = await somebody(language);
    await linkWallet(ada);
    const event = ['wallet.linked', ada.userId] as const;
    return [{ change: 'credentialLinked', about: 'blockchain', to: [ada.email], event }];
  },
  'a credential that came with a sign-in': async (language) => {
    const [email, key] = [newEmail(), newKey()];
    const wallet = { publicWalletAddress: key.address, chain: 'EVM', walletName: 'm', walletProvider: 'qrCode' };
    await world.api.post(world.path('/users'), { email, wallets: [wallet], metadata: { language } }, { expect: 201 });
    const ada = await world.signIn(email);
    const { status } = await world.anonymous.post(world.sdk('/verify'), await keySignIn(world, key));
    expect(status).toBe(200);
    const event = ['user.session.created', ada.userId] as const;
    return [{ change: 'credentialJoined', about: 'blockchain', to: [ada.email], event }];
  },
  'a removed credential': async (language) => {
    const ada = await somebody(language);
    const second = newEmail();
    const { body } = await accounts.verifyEmail(ada.jwt, second);
    const { id } = body.user.verifiedCredentials.find(({ email }) => email === second)!;
    expect((await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: id })).status).toBe(200);
    const event = ['user.updated', ada.userId] as const;
    return [{ change: 'credentialUnlinked', about: 'email', to: [ada.email, second], event }];
  },
  'a wallet that was given up': async (language) => {
    const ada = await somebody(language);
    const { user } = await linkWallet(ada);
    const { id } = user.verifiedCredentials.find(({ format }) => format === 'blockchain')!;
    expect((await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: id })).status).toBe(200);
    const event = ['wallet.unlinked', ada.userId] as const;
    return [{ change: 'credentialUnlinked', about: 'blockchain', to: [ada.email], event }];
  },
  'another main address': async (language) => {
    const ada = await somebody(language);
    const second = newEmail();
    const { jwt } = (await accounts.verifyEmail(ada.jwt, second)).body;
    await world.anonymous.put(world.sdk('/users'), { email: ada.email }, { token: jwt, expect: 200 });
    const event = ['user.updated', ada.userId] as const;
    return [{ change: 'mainContactChanged', about: 'email', to: [ada.email, second], event }];
  },
  'a new passkey': async (language) => {
    const person = await passkeyOwner(language);
    await site.add(person);
    return [{ change: 'passkeyAdded', to: [person.email], event: ['user.updated', person.userId] }];
  },
  'a removed passkey': async (language) => {
    const person = await passkeyOwner(language);
    await site.add(person);
    const { passkeys } = (await site.list(person)).body;
    expect((await site.remove(person, passkeys[0]!['id']!)).status).toBe(204);
    return [{ change: 'passkeyRemoved', to: [person.email], event: ['user.updated', person.userId] }];
  },
  'a second factor more, and one less': async (language) => {
    const ada = await somebody(language);
    const { id, code } = await steadyDevice(world, ada.jwt);
    const given = await world.anonymous.post<{ mfaToken: string }>(
      mfa('/auth/totp'),
      { code: await code(), createMfaToken: { singleUse: true } },
      { token: ada.jwt, expect: 200 },
    );
    const headers = { 'x-mfa-auth-token': given.body.mfaToken };
    await world.anonymous.delete(mfa(`/${id}`), { token: ada.jwt, headers, expect: 204 });
    const to = [ada.email];
    return [
      { change: 'factorAdded', to, event: ['mfaDevice.added', ada.userId] },
      { change: 'factorRemoved', to, event: ['mfaDevice.removed', ada.userId] },
    ];
  },
  'second factors that an administrator removed': async (language) => {
    const ada = await somebody(language);
    await steadyDevice(world, ada.jwt);
    await world.api.post(`/users/${ada.userId}/mfa/reset`, undefined, { expect: 204 });
    return [{ change: 'factorsReset', to: [ada.email], event: ['mfa.reset', ada.userId] }];
  },
  'a recovery code that was used': async (language) => {
    const ada = await somebody(language);
    await steadyDevice(world, ada.jwt);
    const codes = await world.anonymous.get<{ recoveryCodes: string[] }>(mfa('/recovery'), {
      token: ada.jwt,
      expect: 200,
    });
    const { jwt: token } = await world.signIn(ada.email);
    const [code] = codes.body.recoveryCodes;
    await world.anonymous.post(mfa('/auth/recovery'), { code }, { token, expect: 200 });
    return [{ change: 'recoveryCodeUsed', to: [ada.email], event: ['recoveryCode.used', ada.userId] }];
  },
  'a wallet that was moved': async (language) => {
    const [ada, eve, key] = [await somebody(language), await somebody(language), newKey()];
    await linkWallet(eve, key);
    const moved = await accounts.post('/verify/transfer', ada.jwt, await keySignIn(world, key));
    expect(moved.status).toBe(200);
    return [
      { change: 'walletMoved', about: 'blockchain', to: [eve.email], event: ['wallet.transferred', eve.userId] },
      { change: 'credentialLinked', about: 'blockchain', to: [ada.email], event: ['wallet.transferred', ada.userId] },
    ];
  },
  'two accounts that became one': async (language) => {
    const { ada, eve } = await merged(language);
    return [{ change: 'merged', to: [ada.email, eve.email], event: ['user.merged', ada.userId] }];
  },
  'two accounts that are two again': async (language) => {
    const { ada, eve } = await merged(language);
    await test.app.get(Unmerges, { strict: false }).undo(world.environmentId, ada.userId);
    return [{ change: 'unmerged', to: [ada.email, eve.email], event: ['user.unmerged', ada.userId] }];
  },
  'an account that was erased': async (language) => {
    const ada = await somebody(language);
    await world.anonymous.delete(world.sdk('/users'), { token: ada.jwt, expect: 204 });
    return [{ change: 'erased', to: [ada.email], event: ['user.deleted', ada.userId] }];
  },
};

describe.each(LANGUAGES.map(({ code }) => code))(
  'people who read "%s" are told by mail, and servers by an event, of',
  (language) => {
    it.each(Object.entries(CHANGES))('%s', async (_, happen) => {
      for (const {
        change,
        about,
        to,
        event: [name, userId],
        environmentId = world.environmentId,
      } of await happen(language)) {
        const { subject, what, credentials } = wordsOf(change, language);
        const filled = (text: string): string =>
          text.replaceAll('{brand}', BRAND).replaceAll('{detail}', about ? credentials[about] : '?');
        for (const address of to) {
          const mails = test.app
            .get(DevInbox)
            .entries.filter((entry) => entry.to === address && entry.subject === filled(subject));
          expect([change, address, mails.length]).toEqual([change, address, 1]);
          expect(mails[0]!.text).toContain(filled(what));
        }
        const events = await eventsOf(test, environmentId);
        const told = events.filter((each) =>
          [each.resourceId, each.userId, each.data['userId'], each.data['fromUserId']].includes(userId),
        );
        expect(told.map((each) => each.name)).toContain(name);
      }
    });
  },
);

describe('the mails about accounts', () => {
  it.each(['delete', 'post'] as const)('tell of no second factors that nobody had (%s)', async (method) => {
    const { email, userId } = await somebody('en');
    const path = `/users/${userId}/mfa${method === 'post' ? '/reset' : ''}`;
    await world.api[method](path, ...(method === 'post' ? [undefined, { expect: 204 }] : [{ expect: 204 }]));
    expect((await eventsOf(test, world.environmentId)).map((each) => [each.name, each.resourceId])).toContainEqual([
      'mfa.reset',
      userId,
    ]);
    const { subject } = wordsOf('factorsReset', 'en');
    const subjects = test.app.get(DevInbox).entries.filter(({ to }) => to === email);
    expect(subjects.map((each) => each.subject)).not.toContain(subject.replaceAll('{brand}', BRAND));
  });

  it('cover every kind of notice', async () => {
    const kinds = new Set<AccountChange>();
    for (const happen of Object.values(CHANGES)) for (const { change } of await happen('en')) kinds.add(change);
    const { changes } = LANGUAGES.find(({ code }) => code === 'en')!;
    expect([...kinds].toSorted()).toEqual(Object.keys(changes).toSorted());
  });
});
