import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, codeOf } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { issuedToken, trustIssuer } from '../support/external-auth.js';
import { OauthVendor } from '../support/oauth-vendor.js';
import { newAccount, OauthVisitor } from '../support/oauth-visitor.js';
import { sessionsWaiting } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Answer {
  code?: string;
  jwt: string;
  user: { id: string; wallets: { id: string; properties: { claimed: boolean } }[] };
}

const CALLERS = 20;

/** Whoever has the identifier that a wallet was made for has to come by it: a wallet that nobody finds is lost. */
describe('the user of a wallet that was made ahead', () => {
  let test: TestApp;
  let world: World;
  let accounts: Accounts;
  let vendor: OauthVendor;

  const create = (body: object, at = world) =>
    at.api.post<Answer>(at.path('/waas/create'), { chains: ['SVM'], ...body });
  const ofId = (identifier: string, at = world) => create({ identifier, type: 'externalUserId' }, at);
  const come = async (claims: object, at = world) => {
    const jwt = await issuedToken(claims);
    const { status, body } = await at.anonymous.post<Answer>(at.sdk('/externalAuth/signin'), { jwt });
    expect([status, body.code]).toEqual([200, undefined]);
    return body;
  };
  const claim = (walletId: string, token: string) =>
    world.anonymous.put<Answer>(world.sdk('/users/embeddedWallets/passcode/claim'), { walletId }, { token });

  beforeAll(async () => {
    vendor = await OauthVendor.start();
    const addresses = Object.fromEntries(['github', 'shopify'].map((name) => [name, vendor.addresses]));
    test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES: JSON.stringify(addresses) } });
    world = await World.create(test);
    accounts = new Accounts(world);
    await trustIssuer(world);
  });
  afterAll(async () => {
    await test?.close();
    await vendor?.stop();
  });

  describe('for an address', () => {
    const ofEmail = (identifier: string) => create({ identifier, type: 'email' });

    it('comes by it, though they are somebody here already: it is not linked to another account', async () => {
      const email = newEmail();
      const made = await ofEmail(email);
      const elsewhere = await world.signIn(newEmail());
      const linked = await accounts.verifyEmail(elsewhere.jwt, email);
      expect([linked.status, codeOf(linked)]).toEqual([422, 'email_already_exists']);
      const person = await world.signIn(email);
      expect(person.userId).toBe(made.body.user.id);
      expect((await claim(made.body.user.wallets[0]!.id, person.jwt)).status).toBe(200);
    });

    it('is no reason to keep it from whoever proves it, where they have come by another way', async () => {
      const email = newEmail();
      const made = await ofEmail(email);
      const { id } = made.body.user;
      const own = newEmail();
      await rowsOf(
        test,
        `INSERT INTO credentials (environment_id, id, user_id, format, email, public_identifier, verified_at, sign_in_enabled)
         VALUES ($1, gen_random_uuid(), $2, 'email', $3, $3, now(), true)`,
        [world.environmentId, id, own],
      );
      const elsewhere = await world.signIn(newEmail());
      expect((await accounts.verifyEmail(elsewhere.jwt, email)).status).toBe(200);
    });
  });

  describe('for an account', () => {
    const enable = async (provider: string, more: object): Promise<void> => {
      const client = { clientId: 'client', clientSecret: 'secret-of-the-client', ...more };
      const made = await world.owner.post<{ id: string }>(world.path(`/settings/providers/type/${provider}`), client, {
        expect: 201,
      });
      await world.owner.put(`/settings/providers/${made.body.id}/enable`, undefined, { expect: 200 });
    };

    it.each<[string, object]>([
      ['github', {}],
      ['shopify', { commerceStore: 'acme' }],
    ])('at %s comes by a sign-in with it', async (socialProvider, more) => {
      await enable(socialProvider, more);
      const account = newAccount();
      const request = { identifier: String(account.id), type: 'socialAccountId', socialProvider };
      const made = await create(request);
      const visitor = await new OauthVisitor(world, vendor).begin({}, socialProvider);
      const code = randomUUID();
      vendor.accounts.set(code, account);
      await visitor.callback({ code }, socialProvider);
      const { status, body } = await visitor.finish(socialProvider);
      expect([status, body.user.id]).toEqual([200, made.body.user.id]);
      const again = await create(request);
      expect([again.status, again.body.user.id]).toEqual([200, made.body.user.id]);
    });
  });

  describe('for an id of the own sign-in of the team', () => {
    it('comes by a token of that subject, claims it, and is the same the next time', async () => {
      const sub = randomUUID();
      const made = await ofId(sub);
      const { jwt, user } = await come({ sub });
      expect(user.id).toBe(made.body.user.id);
      const claimed = await claim(made.body.user.wallets[0]!.id, jwt);
      expect(claimed.status).toBe(200);
      expect((await come({ sub })).user.id).toBe(user.id);
      const again = await ofId(sub);
      expect([again.status, again.body.user.id]).toEqual([200, user.id]);
      expect(again.body.user.wallets).toMatchObject([{ properties: { claimed: true } }]);
    });

    it(`is one, though ${CALLERS} tokens come at once`, async () => {
      const sub = randomUUID();
      const made = await ofId(sub);
      const came = await Promise.all(Array.from({ length: CALLERS }, () => come({ sub })));
      expect(new Set(came.map(({ user }) => user.id))).toEqual(new Set([made.body.user.id]));
    });

    it.each(['wallet', 'person'] as const)(
      'is one user, though the other comes at the same moment: first the %s',
      async (first) => {
        const sub = randomUUID();
        const calls = {
          wallet: async () => (await ofId(sub)).body.user.id,
          person: async () => (await come({ sub })).user.id,
        };
        const ids = await withClient(test.databaseUrl, async (client) => {
          // Whoever makes a user waits here, with the claim already written.
          await client.query('BEGIN; LOCK TABLE users IN SHARE MODE');
          const waiting = (most: number) =>
            eventually('calls wait', async () => (await sessionsWaiting(test.databaseUrl)) >= most);
          const one = calls[first]();
          await waiting(1);
          const other = calls[first === 'wallet' ? 'person' : 'wallet']();
          await waiting(2);
          await client.query('ROLLBACK');
          return Promise.all([one, other]);
        });
        expect(ids[1]).toBe(ids[0]);
      },
    );

    it('is who has come by such a token before', async () => {
      const sub = randomUUID();
      const { user } = await come({ sub });
      const made = await Promise.all(Array.from({ length: 5 }, () => ofId(sub)));
      expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
      expect(new Set(made.map(({ body }) => body.user.id))).toEqual(new Set([user.id]));
      const { body } = await world.api.post<Answer>(world.path('/embeddedWallets'), {
        ...{ identifier: sub, type: 'externalUserId', chains: ['EVM'] },
      });
      expect(body.user.id).toBe(user.id);
    });

    it('is nobody who comes with the same subject of a later issuer', async () => {
      const there = await World.create(test);
      await trustIssuer(there);
      const [first, second] = [randomUUID(), randomUUID()];
      await ofId(first, there);
      const one = await come({ sub: first }, there);
      const two = await come({ sub: second }, there);
      await ofId(second, there);
      const iss = 'https://other.example';
      await trustIssuer(there, { iss });
      expect((await come({ sub: first, iss }, there)).user.id).not.toBe(one.user.id);
      expect((await come({ sub: second, iss }, there)).user.id).not.toBe(two.user.id);
      const proven = 'SELECT proven_at FROM identifier_claims WHERE identifier = ANY ($1) AND proven_at IS NULL';
      expect(await rowsOf(test, proven, [[first, second]])).toEqual([]);
    });
  });
});
