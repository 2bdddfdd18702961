import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { OauthTokens } from '../../src/identity/methods/oauth/tokens/oauth-tokens.service.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import type { Refusal } from '../support/codes.js';
import { OauthVendor } from '../support/oauth-vendor.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

interface Signed {
  user: { id: string; verifiedCredentials: { id: string; format: string }[] };
  jwt: string;
}
type Token = Refusal & { accessToken: string };

let test: TestApp;
let world: World;
let vendor: OauthVendor;
/** The provider that every company has of its own. */
let shopId: string;

beforeAll(async () => {
  vendor = await OauthVendor.start();
  const addresses = { github: vendor.addresses, shopify: vendor.addresses };
  test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES: JSON.stringify(addresses) } });
  world = await World.create(test);
  await enable('github');
  shopId = await enable('shopify', { commerceStore: 'acme' });
  await world.owner.post(world.path('/deeplinkUrls'), { url: 'myapp://signed-in' }, { expect: 201 });
});
afterAll(async () => {
  await test.close();
  await vendor.stop();
});
beforeEach(() => {
  vendor.expiresIn = 3_600;
  vendor.givesRefreshTokens = true;
  vendor.forms.length = 0;
});

async function enable(provider: string, more: object = {}): Promise<string> {
  const client = { clientId: 'client', clientSecret: 'secret-of-the-client', ...more };
  const path = world.path(`/settings/providers/type/${provider}`);
  const { id } = (await world.owner.post<{ id: string }>(path, client, { expect: 201 })).body;
  await world.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
  return id;
}

const random = (): string => randomBytes(32).toString('base64url');

/** Somebody who has signed in at the vendor, with the id of their account here. */
async function visitor(id = randomInt(2 ** 40), provider = 'github') {
  const [state, codeVerifier, code] = [random(), random(), random()];
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const at = (rest: string) => world.sdk(`/providers/${provider}${rest}`);
  const begin = { state, codeChallenge, redirectUrl: 'myapp://signed-in' };
  await world.anonymous.post(at('/initAuth'), begin, { expect: 204 });
  vendor.accounts.set(code, { id });
  const back = await world.anonymous.get(at(`/redirect?state=${state}&code=${code}`), { expect: 302 });
  const handed = new URL(back.headers.get('location')!).searchParams.get('code');
  const { body } = await world.anonymous.post<Signed>(
    at('/signIn'),
    { state, code: handed, codeVerifier },
    { expect: 200 },
  );
  const accountId = body.user.verifiedCredentials.find(({ format }) => format === 'oauth')!.id;
  return { userId: body.user.id, accountId, jwt: body.jwt, first: `token-${code}` };
}

const ofMember = (accountId: string) => world.owner.get<Token>(`/oauthAccounts/${accountId}/accessToken`);
const own = (accountId: string, token: string) =>
  world.anonymous.get<Token>(world.sdk(`/oauthAccounts/${accountId}/accessToken`), { token });
const end = (accountId: string) =>
  rowsOf(test, "UPDATE oauth_tokens SET expires_at = now() - interval '1 second' WHERE credential_id = $1", [
    accountId,
  ]);
const refreshes = () => vendor.forms.filter((form) => form.get('grant_type') === 'refresh_token').length;

describe('a token of an account at a provider', () => {
  it('is read by its owner, by members and by API tokens that may, and every reading is recorded', async () => {
    const { userId, accountId, jwt, first } = await visitor();
    expect((await own(accountId, jwt)).body).toEqual({ accessToken: first });
    expect((await ofMember(accountId)).body).toEqual({ accessToken: first });
    const api = await world.api.get<Token>(`/oauthAccounts/${accountId}/accessToken`, { expect: 200 });
    expect(api.body.accessToken).toBe(first);
    const read = (await eventsOf(test, world.environmentId)).filter(({ name }) => name === 'user.oauthToken.read');
    const data = { oauthAccountId: accountId, userId, provider: 'github' };
    expect(read.filter((event) => event.resourceId === accountId).map((event) => event.data)).toEqual([
      data,
      data,
      data,
    ]);
    const records = await auditOf(test, world.ids.organizationId);
    const kinds = records.filter(({ resourceId }) => resourceId === accountId).map(({ actor }) => actor['kind']);
    expect(kinds.sort()).toEqual(['apiToken', 'endUser', 'member']);
    expect(JSON.stringify([read, records])).not.toContain(first);
  });

  it('is nobody else’s: not of another user, another tenant, or a token without the scope', async () => {
    const { accountId } = await visitor();
    const other = await world.signIn(newEmail());
    expect((await own(accountId, other.jwt)).status).toBe(404);
    const elsewhere = await World.create(test);
    expect((await elsewhere.owner.get(`/oauthAccounts/${accountId}/accessToken`)).status).toBe(404);
    expect((await elsewhere.api.get(`/oauthAccounts/${accountId}/accessToken`)).status).toBe(404);
    const narrow = await world.mint(['environment.webhooks.read']);
    const answer = await world.anonymous.get(`/oauthAccounts/${accountId}/accessToken`, { token: narrow });
    expect(answer.status).toBe(403);
    expect((await ofMember(other.userId)).status).toBe(404);
  });

  it('goes with its account to whoever has that by now', async () => {
    const { userId, accountId, jwt, first } = await visitor();
    const heir = await world.signIn(newEmail());
    // What a merge does to the accounts of the one who goes.
    await rowsOf(test, 'UPDATE credentials SET user_id = $2 WHERE id = $1', [accountId, heir.userId]);
    expect((await own(accountId, heir.jwt)).body).toEqual({ accessToken: first });
    expect((await own(accountId, jwt)).status).toBe(404);
    const tokens = test.app.get(OauthTokens, { strict: false });
    const environmentId = world.environmentId;
    expect(await tokens.use(environmentId, heir.userId, 'github')).toMatchObject({ accessToken: first });
    expect(await tokens.use(environmentId, userId, 'github')).toBeNull();
  });

  it('that has ended is traded once, however many ask at once', async () => {
    const { accountId, jwt, first } = await visitor();
    await end(accountId);
    const answers = await Promise.all(Array.from({ length: 50 }, () => own(accountId, jwt)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(answers.map(({ body }) => body.accessToken)).size).toBe(1);
    expect(answers[0]!.body.accessToken).not.toBe(first);
    expect(refreshes()).toBe(1);
    await end(accountId);
    expect((await own(accountId, jwt)).body.accessToken).not.toBe(answers[0]!.body.accessToken);
    expect(refreshes()).toBe(2);
  });

  it('that has ended is refused when the provider gives no other, and the next call asks again', async () => {
    const { accountId, jwt } = await visitor();
    await end(accountId);
    await own(accountId, jwt);
    await end(accountId);
    vendor.accounts.clear();
    const [{ sealed }] = (await rowsOf<{ sealed: Buffer }>(
      test,
      'SELECT sealed_tokens AS sealed FROM oauth_tokens WHERE credential_id = $1',
      [accountId],
    )) as [{ sealed: Buffer }];
    expect(sealed.length).toBeGreaterThan(0);
    // A refresh token is good once: somebody has used it elsewhere.
    vendor.forgetRefreshTokens();
    for (let n = 0; n < 2; n += 1) {
      const { status, body } = await own(accountId, jwt);
      expect([status, body.code]).toEqual([422, 'social_sign_in_failed']);
    }
  });

  it('is traded by the installation of the provider that gave it, and by no other', async () => {
    const { accountId, jwt } = await visitor(undefined, 'shopify');
    await end(accountId);
    expect([(await own(accountId, jwt)).status, refreshes()]).toEqual([200, 1]);
    const elsewhere = { commerceStore: 'another', clientSecret: 'secret-of-another' };
    await world.owner.put(`/settings/providers/${shopId}`, elsewhere, { expect: 200 });
    await end(accountId);
    const { status, body } = await own(accountId, jwt);
    expect([status, body.code, refreshes()]).toEqual([422, 'provider_not_available', 1]);
  });

  it('is traded once for each reading where the provider gives none that lasts', async () => {
    vendor.expiresIn = 10;
    const { accountId, jwt, first } = await visitor();
    // Traded without end it would not be answered.
    const answer = await Promise.race([own(accountId, jwt), wait(50_000, null)]);
    vendor.expiresIn = 3_600;
    expect([answer?.status, refreshes()]).toEqual([200, 1]);
    expect(answer!.body.accessToken).not.toBe(first);
  });

  it('costs a sign-in one statement', async () => {
    const id = randomInt(2 ** 40);
    await visitor(id);
    // Now and then a sign-in is begun anew, when a rule has to read what it knew until then: the least of three.
    const runs: string[][] = [];
    for (let n = 0; n < 3; n += 1) {
      const { sent } = await countStatements(() => visitor(id));
      runs.push(sent.map(({ name, text }) => name || text).filter((name) => /^oauth(Tokens|Attempts)\./.test(name)));
    }
    const [own] = runs.sort((a, b) => a.length - b.length) as [string[]];
    expect(own.filter((name) => name.startsWith('oauthTokens.'))).toEqual(['oauthTokens.store']);
    expect(own.filter((name) => name === 'oauthAttempts.consume')).toHaveLength(1);
    // What an attempt was bound to is read before it is taken only where it was begun with a setup of an organization.
    expect(own).not.toContain('oauthAttempts.find');
  });

  it('without an end or a refresh token is given as it is, and refused once it has ended', async () => {
    vendor.expiresIn = null;
    const { accountId, jwt, first } = await visitor();
    expect((await own(accountId, jwt)).body.accessToken).toBe(first);
    await end(accountId);
    for (const { status, body } of [await own(accountId, jwt), await ofMember(accountId)]) {
      expect([status, body.code]).toEqual([422, 'oauth_token_expired']);
    }
  });

  it('is traded by an earlier refresh token of the account, where a later sign-in brings none', async () => {
    const id = randomInt(2 ** 40);
    await visitor(id);
    vendor.givesRefreshTokens = false;
    const [own1, other] = [await visitor(id), await visitor()];
    expect((await own(own1.accountId, own1.jwt)).body.accessToken).toBe(own1.first);
    await Promise.all([end(own1.accountId), end(other.accountId)]);
    const traded = await own(own1.accountId, own1.jwt);
    expect([traded.status, refreshes()]).toEqual([200, 1]);
    expect(traded.body.accessToken).not.toBe(own1.first);
    expect((await own(other.accountId, other.jwt)).body.code).toBe('oauth_token_expired');
  });

  it('is no obstacle to the next sign-in where it cannot be opened', async () => {
    const id = randomInt(2 ** 40);
    const { accountId } = await visitor(id);
    await rowsOf(test, "UPDATE oauth_tokens SET sealed_tokens = '\\x00' WHERE credential_id = $1", [accountId]);
    vendor.givesRefreshTokens = false;
    const again = await visitor(id);
    expect((await own(again.accountId, again.jwt)).body.accessToken).toBe(again.first);
  });

  it('is the newest after another sign-in, opens for its own row alone, and goes with the user', async () => {
    const id = randomInt(2 ** 40);
    const [one, two] = [await visitor(id), await visitor(id)];
    expect(two.accountId).toBe(one.accountId);
    expect((await own(two.accountId, two.jwt)).body.accessToken).toBe(two.first);
    const other = await visitor();
    const [row] = await rowsOf<{ sealed: Buffer }>(
      test,
      'SELECT sealed_tokens AS sealed FROM oauth_tokens WHERE credential_id = $1',
      [one.accountId],
    );
    expect(row!.sealed.toString('latin1')).not.toContain(two.first);
    await rowsOf(
      test,
      `UPDATE oauth_tokens t SET sealed_tokens = o.sealed_tokens FROM oauth_tokens o
       WHERE t.credential_id = $1 AND o.credential_id = $2`,
      [other.accountId, one.accountId],
    );
    await expect(own(other.accountId, other.jwt)).rejects.toThrow('status 500');
    await world.api.delete(`/users/${one.userId}`, { expect: 204 });
    expect(await rowsOf(test, 'SELECT 1 FROM oauth_tokens WHERE credential_id = $1', [one.accountId])).toEqual([]);
  });
});
