import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { UsersImport } from '../../src/identity/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { OauthVendor, type VendorAccount } from '../support/oauth-vendor.js';
import { newAccount, OauthVisitor } from '../support/oauth-visitor.js';
import { rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

interface Made {
  user: { id: string };
}
interface Bulk {
  created: { id: string }[];
  updated: { id: string }[];
}

let test: TestApp;
let vendor: OauthVendor;

beforeAll(async () => {
  vendor = await OauthVendor.start();
  const addresses = { github: vendor.addresses, shopify: vendor.addresses };
  test = await startTestApp({ env: { ROLE: 'api', PROVIDER_ADDRESSES: JSON.stringify(addresses) } });
});
afterAll(async () => {
  await test?.close();
  await vendor?.stop();
});

/** At a provider that is one for everybody, and at one that every company has of its own. */
describe.each<[string, object]>([
  ['github', {}],
  ['shopify', { commerceStore: 'acme' }],
])('an account at %s that an API call gave', (provider, more) => {
  let world: World;

  beforeAll(async () => {
    world = await World.create(test);
    const client = { clientId: 'client', clientSecret: 'secret-of-the-client', ...more };
    const path = world.path(`/settings/providers/type/${provider}`);
    const { id } = (await world.owner.post<{ id: string }>(path, client, { expect: 201 })).body;
    await world.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
  });

  const given = ({ id }: VendorAccount) => ({ oauthAccounts: [{ provider, accountId: String(id) }] });

  /** @returns the user whose session a sign-in with the account opens */
  async function signIn(account: VendorAccount): Promise<string> {
    const visitor = await new OauthVisitor(world, vendor).begin({}, provider);
    const code = randomUUID();
    vendor.accounts.set(code, account);
    await visitor.callback({ code }, provider);
    const { status, body } = await visitor.finish(provider);
    expect(status).toBe(200);
    return body.user.id;
  }

  it('signs in the user created with it', async () => {
    const account = newAccount();
    const { body } = await world.api.post<Made>(world.path('/users'), given(account), { expect: 201 });
    expect(await signIn(account)).toBe(body.user.id);
  });

  it('signs in the user imported with it, once', async () => {
    const account = newAccount();
    const imported = test.app.get(UsersImport, { strict: false });
    const row = { id: randomUUID(), ...given(account) };
    expect(await imported.add(world.environmentId, row)).toMatchObject({ outcome: 'added' });
    const userId = await signIn(account);
    const holders = 'SELECT user_id AS "userId" FROM credentials WHERE environment_id = $1 AND oauth_account_id = $2';
    expect(await rowsOf(test, holders, [world.environmentId, String(account.id)])).toEqual([{ userId }]);
    expect(await imported.add(world.environmentId, { ...row, id: randomUUID() })).toEqual({
      outcome: 'present',
      userId,
    });
  });

  it('finds the user who signed in with it in bulk updates', async () => {
    const account = newAccount();
    const userId = await signIn(account);
    const items = [{ ...given(account), alias: 'Ann' }];
    const { body } = await world.api.post<Bulk>(world.path('/users/bulk?upsert=true'), items, { expect: 201 });
    expect([body.created, body.updated.map(({ id }) => id)]).toEqual([[], [userId]]);
  });
});
