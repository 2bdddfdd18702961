import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { listEvents } from '../support/events.js';
import { withClient } from '../support/postgres.js';
import { countStatements } from '../support/statements.js';
import { World, newEmail } from '../support/world.js';

type Json = Record<string, unknown>;
interface OneUser {
  user: Json & { id: string };
}

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** Every profile field an API caller may give. */
const profile = () => ({
  alias: 'Ada',
  firstName: 'Ada Augusta',
  lastName: "O'Lovelace %_\\",
  jobTitle: 'Analyst',
  phoneNumber: '+41446681800',
  metadata: { plan: 'gold', nested: { list: [1, 'two', null] } },
  mfaBackupCodeAcknowledgement: 'complete',
  tShirtSize: 'M',
  team: 'Engines',
  policiesConsent: true,
  country: 'GB',
  username: `ada_${randomUUID()}`,
  btcWallet: 'btc',
  kdaWallet: 'kda',
  ltcWallet: 'ltc',
  ckbWallet: 'ckb',
  kasWallet: 'kas',
  dogeWallet: 'doge',
  emailNotification: true,
  discordNotification: false,
  newsletterNotification: true,
});

const ownedWallet = {
  publicWalletAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  chain: 'EVM',
  walletName: 'metamask',
  walletProvider: 'browserExtension',
  additionalWalletAddresses: [{ address: 'bc1qexample', publicKey: '02ab', type: 'payment' }],
};

const account = {
  provider: 'github',
  accountId: '4242',
  emails: ['ada@example.com'],
  displayName: 'Ada L.',
  username: 'ada',
  photos: ['https://example.com/ada.png'],
  profile: { bio: 'mathematician' },
};

describe('users', () => {
  let test: TestApp;
  let world: World;
  const create = (body: Json = {}, status = 201) =>
    world.api.post<OneUser & Json>(world.path('/users'), body, { expect: status });
  const read = async (id: string) =>
    (await world.api.get<OneUser>(world.path(`/users/${id}`), { expect: 200 })).body.user;
  const update = (id: string, body: Json, status = 200) =>
    world.api.put<OneUser & Json>(world.path(`/users/${id}`), body, { expect: status });

  beforeAll(async () => {
    // Without jobs in this process every statement that is counted belongs to the request.
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  describe('are created', () => {
    it('with every field, wallets and accounts, and answered in full', async () => {
      const [email, fields] = [newEmail(), profile()];
      const emailVerifiedAt = '2026-01-02T03:04:05.000Z';
      const { body } = await create({
        ...fields,
        email,
        emailVerifiedAt,
        wallets: [ownedWallet],
        oauthAccounts: [account],
      });

      const verifiedCredentials = [
        {
          id: uuid,
          format: 'email',
          email,
          public_identifier: email,
          signInEnabled: true,
          verifiedAt: emailVerifiedAt,
        },
        {
          id: uuid,
          format: 'oauth',
          oauth_provider: 'github',
          oauth_account_id: '4242',
          oauth_username: 'ada',
          oauth_display_name: 'Ada L.',
          oauth_emails: account.emails,
          oauth_account_photos: account.photos,
          public_identifier: 'ada',
          signInEnabled: true,
        },
        {
          id: uuid,
          format: 'blockchain',
          address: ownedWallet.publicWalletAddress,
          chain: 'eip155',
          wallet_name: 'metamask',
          wallet_provider: 'browserExtension',
          wallet_additional_addresses: ownedWallet.additionalWalletAddresses,
          public_identifier: ownedWallet.publicWalletAddress,
          signInEnabled: true,
        },
      ];
      const address = ownedWallet.publicWalletAddress;
      const wallet = { id: uuid, name: 'metamask', chain: 'EVM', publicKey: address, provider: 'browserExtension' };
      expect(body.user).toEqual({
        ...fields,
        id: uuid,
        projectEnvironmentId: world.environmentId,
        email,
        verifiedCredentials,
        walletPublicKey: address,
        wallet: 'metamask',
        chain: 'EVM',
        wallets: [wallet],
        oauthAccounts: [{ id: uuid, provider: 'github', accountUsername: 'ada' }],
        newUser: true,
        createdAt: time,
        updatedAt: time,
        screeningChecks: [],
        mfaDevices: [],
      });

      const whole = await read(body.user.id);
      expect(whole['sessions']).toEqual([]);
      expect((whole['verifiedCredentials'] as Json[])[1]!['oauth_metadata']).toEqual(account.profile);
      const [created, linked] = [(await listEvents(world, 'user.created'))[0]!, (await listEvents(world))[0]!];
      expect(created).toMatchObject({ resourceType: 'user', data: body.user, context: {} });
      expect(created.data).toEqual(body.user);
      expect(created.context).not.toHaveProperty('userId');
      expect(linked).toMatchObject({ eventName: 'wallet.linked', resourceType: 'wallet' });
      expect(linked.data).toEqual({ ...(body.user['wallets'] as Json[])[0], userId: body.user.id });
    });

    it('add a wallet and an account that are listed twice once', async () => {
      const address = `0x${randomBytes(20).toString('hex')}`;
      const wallets = [
        { ...ownedWallet, publicWalletAddress: address },
        { ...ownedWallet, publicWalletAddress: address, chain: 'ETH', walletName: 'again' },
      ];
      const oauthAccounts = [account, { ...account, username: 'again' }];
      const once = async (user: Json & { id: string }): Promise<void> => {
        const { verifiedCredentials, ...stored } = await read(user.id);
        expect(stored).toMatchObject({ wallets: [{ name: 'metamask' }], oauthAccounts: [{ accountUsername: 'ada' }] });
        expect(verifiedCredentials).toHaveLength(2);
        const events = await listEvents(world, 'wallet.linked');
        expect(events.filter(({ data }) => data['userId'] === user.id)).toHaveLength(1);
      };
      await once((await create({ wallets, oauthAccounts })).body.user);
      const bulk = await world.api.post<{ created: [OneUser['user']] }>(
        world.path('/users/bulk'),
        [{ wallets, oauthAccounts }],
        { expect: 201 },
      );
      await once(bulk.body.created[0]);
    });

    it('with nothing at all', async () => {
      const { body } = await create();
      expect(body.user).toEqual({
        id: uuid,
        projectEnvironmentId: world.environmentId,
        verifiedCredentials: [],
        wallets: [],
        oauthAccounts: [],
        newUser: true,
        createdAt: time,
        updatedAt: time,
        screeningChecks: [],
        mfaDevices: [],
      });
    });

    it('as often as an email is given: nothing is compared with other users', async () => {
      const email = newEmail();
      const made = [await create({ email }), await create({ email }), await create({ email: email.toUpperCase() })];
      expect(new Set(made.map(({ body }) => body.user.id)).size).toBe(3);
    });

    it('under the id that is given, once', async () => {
      const id = randomUUID();
      expect((await create({ id: id.toUpperCase() })).body.user.id).toBe(id);
      const { body } = await create({ id }, 422);
      expect(body).toMatchObject({ code: 'duplicate_exists' });
      const other = await World.create(test);
      await other.api.post(other.path('/users'), { id }, { expect: 201 });
    });

    it('under one id in two environments of a member, who is told why a path without an environment finds neither', async () => {
      const id = randomUUID();
      const reset = `/users/${id}/mfa/reset`;
      const [sandbox, live] = [world.ids.environments.sandbox, world.ids.environments.live];
      const hint = async () => (await world.owner.post<{ hint: string }>(reset, undefined, { expect: 404 })).body.hint;
      const unknown = await hint();
      await world.owner.post(`/environments/${sandbox}/users`, { id }, { expect: 201 });
      await world.owner.post(reset, undefined, { expect: 204 });
      await world.owner.post(`/environments/${live}/users`, { id }, { expect: 201 });
      expect(await hint()).not.toBe(unknown);
      expect(await hint()).toContain('Several of your environments have a user with this id');
      await world.api.post(reset, undefined, { expect: 204 });
    });

    it.each([
      ['an unknown field', { nickname: 'x' }, 'nickname'],
      ['a country that is no code', { country: 'Utopia' }, 'country'],
      ['an alias of 256 characters', { alias: 'a'.repeat(256) }, 'alias'],
      ['a wallet without a chain', { wallets: [{ publicWalletAddress: 'x' }] }, 'wallets.0.chain'],
      [
        'an account of no provider',
        { oauthAccounts: [{ ...account, provider: 'nobody' }] },
        'oauthAccounts.0.provider',
      ],
    ])('but not with %s', async (_, body, field) => {
      const refused = await create(body, 400);
      const { fields } = refused.body['payload'] as { fields: { field: string }[] };
      expect(refused.body).toMatchObject({ code: 'validation_failed' });
      expect(fields.map((one) => one.field)).toContain(field);
    });

    it('fifty at once, each counted and told once', async () => {
      const own = await World.create(test);
      const made = await Promise.all(
        Array.from({ length: 50 }, () => own.api.post<OneUser>(own.path('/users'), { email: newEmail() })),
      );
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
      const { body } = await own.api.get<{ count: number }>(own.path('/users?limit=1'));
      expect(body.count).toBe(50);
      const told = await withClient(test.databaseUrl, (client) =>
        client.query<{ id: string }>(
          "SELECT resource_id AS id FROM events WHERE environment_id = $1 AND name = 'user.created'",
          [own.environmentId],
        ),
      );
      expect(told.rows.map(({ id }) => id).sort()).toEqual(made.map(({ body: { user } }) => user.id).sort());
    });
  });

  describe('cost', () => {
    const WRITES = /^(INSERT|UPDATE|DELETE|WITH)/;

    it('at most six statements to create, in one transaction', async () => {
      const everything = { ...profile(), email: newEmail(), wallets: [ownedWallet], oauthAccounts: [account] };
      const { statements: sent } = await countStatements(
        () => create(everything),
        () => create(),
      );
      // Whether wallets are screened is asked once a second, whoever makes how many users.
      const statements = sent.filter((text) => !text.includes('screening_integrations'));
      expect(sent.length).toBeLessThanOrEqual(statements.length + 1);
      expect(statements.length).toBeLessThanOrEqual(6);
      expect(statements[0]).toBe('BEGIN');
      expect(statements.at(-1)).toBe('COMMIT');
      expect(statements.filter((text) => WRITES.test(text)).length).toBeGreaterThan(1);
    });

    it('at most two statements to read, and two to list', async () => {
      const { body } = await create({ email: newEmail() });
      const list = (query: string) => () => world.api.get(world.path(`/users?${query}`), { expect: 200 });
      const [page, search] = [list('includeSessions=true'), list('filter[filterValue]=example')];
      for (const call of [() => read(body.user.id), page, search]) {
        const { statements } = await countStatements<unknown>(call, call);
        expect(statements.length).toBeGreaterThan(0);
        expect(statements.length).toBeLessThanOrEqual(2);
      }
    });
  });

  describe('are changed', () => {
    it('field by field: what is absent stays, what is null is cleared', async () => {
      const before = (await create(profile())).body.user;
      const changed = await update(before.id, { alias: 'Countess', metadata: { plan: 'silver' }, country: null });
      const { country: _country, ...rest } = before;
      expect(changed.body.user).toEqual({ ...rest, alias: 'Countess', metadata: { plan: 'silver' }, updatedAt: time });
      expect(Date.parse(changed.body.user['updatedAt'] as string)).toBeGreaterThan(
        Date.parse(before['updatedAt'] as string),
      );
      expect((await listEvents(world))[0]).toMatchObject({ eventName: 'user.updated', data: changed.body.user });

      const nullable = ['mfaBackupCodeAcknowledgement', 'username', 'btcWallet', 'kdaWallet', 'ltcWallet', 'ckbWallet'];
      const all = [...nullable, 'kasWallet', 'dogeWallet'];
      const { body } = await update(before.id, Object.fromEntries(all.map((field) => [field, null])));
      for (const field of all) expect(body.user).not.toHaveProperty(field);
      expect(body.user).toMatchObject({ alias: 'Countess', firstName: 'Ada Augusta', emailNotification: true });
    });

    it('but not by null where a field has no null, nor by fields of others', async () => {
      const { user } = (await create(profile())).body;
      for (const field of ['alias', 'metadata', 'policiesConsent', 'emailNotification']) {
        expect((await update(user.id, { [field]: null }, 400)).body).toMatchObject({ code: 'validation_failed' });
      }
      await update(user.id, { email: newEmail() }, 400);
      await update(user.id, { projectEnvironmentId: world.environmentId }, 400);
      expect(await read(user.id)).toMatchObject(user);
    });

    it('with the id of the path in the body, never with another', async () => {
      const { user } = (await create()).body;
      await update(user.id, { id: user.id.toUpperCase(), alias: 'same' });
      expect((await update(user.id, { id: randomUUID(), alias: 'other' }, 422)).body).toMatchObject({
        code: 'invalid_update',
      });
      expect(await read(user.id)).toMatchObject({ alias: 'same' });
    });

    it('to metadata of at most 16 384 bytes of JSON in UTF-8', async () => {
      const { user } = (await create()).body;
      const rest = 16_384 - Buffer.byteLength(JSON.stringify({ text: '' }));
      const full = { text: 'é'.repeat(8_000) + '.'.repeat(rest - 16_000) };
      expect((await update(user.id, { metadata: full })).body.user['metadata']).toEqual(full);
      const tooMuch = { text: `${full.text}.` };
      expect((await update(user.id, { metadata: tooMuch }, 422)).body).toMatchObject({
        code: 'metadata_size_exceeded',
      });
      expect((await create({ metadata: tooMuch }, 422)).body).toMatchObject({ code: 'metadata_size_exceeded' });
    });

    it('not when they do not exist, here or in another environment', async () => {
      const other = await World.create(test);
      const foreign = await other.api.post<OneUser>(other.path('/users'), {}, { expect: 201 });
      await update(foreign.body.user.id, { alias: 'x' }, 404);
      await update(randomUUID(), { alias: 'x' }, 404);
    });
  });

  describe('have private metadata', () => {
    const secret = `barred-${randomUUID()}`;
    const privateMetadata = { role: 'admin', note: secret };

    it('that servers and members write, replace, clear and read', async () => {
      const { id } = (await create({ privateMetadata })).body.user;
      expect((await read(id))['privateMetadata']).toEqual(privateMetadata);
      await update(id, { alias: 'Ada' });
      expect((await read(id))['privateMetadata']).toEqual(privateMetadata);
      await update(id, { privateMetadata: { plan: 'gold' } });
      expect((await read(id))['privateMetadata']).toEqual({ plan: 'gold' });
      await world.owner.put(world.path(`/users/${id}`), { privateMetadata: null }, { expect: 200 });
      expect(await read(id)).not.toHaveProperty('privateMetadata');
      const large = { text: 'x'.repeat(17_000) };
      expect((await update(id, { privateMetadata: large }, 422)).body['code']).toBe('metadata_size_exceeded');
      expect((await create({ privateMetadata: large }, 422)).body['code']).toBe('metadata_size_exceeded');
    });

    it('that no answer, token or log-in of the end user shows, and that they cannot write', async () => {
      const person = await world.signIn(newEmail());
      await update(person.userId, { privateMetadata });
      const seen: string[] = [];
      const keep = (answer: { body: unknown }) => seen.push(JSON.stringify(answer.body));
      const token = { token: person.jwt };
      keep(await world.anonymous.get(world.sdk('/users'), token));
      const changed = await world.anonymous.put<Json>(world.sdk('/users'), { alias: 'me' }, { ...token, expect: 200 });
      keep(changed);
      const again = await world.signIn(person.email);
      keep(again);
      const own = { token: again.jwt };
      keep(await world.anonymous.put(world.sdk('/users'), { privateMetadata: { role: 'owner' } }, own));
      expect(seen.join()).toContain(person.email);
      for (const jwt of [again.jwt, again.minifiedJwt]) {
        const claims = Buffer.from(jwt.split('.')[1]!, 'base64url').toString();
        expect(claims).toContain(person.userId);
        seen.push(claims);
      }
      expect(seen.join()).not.toMatch(new RegExp(`privateMetadata":|${secret}`));
      expect((await read(person.userId))['privateMetadata']).toEqual(privateMetadata);
    });
  });
});
