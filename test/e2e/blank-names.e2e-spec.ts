import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { Answer, TestClient } from '../support/client.js';
import { sharedTestApp } from '../support/shared-app.js';
import { World } from '../support/world.js';

const BLANK = [' ', '\t\n', '\u00a0\u3000', '\u200b\u2060', '\ufeff', '\u00ad', '\u3164', '\u2800', '\u202e'];
const COIN = '0x0000000000000000000000000000000000000000';

type Named = (name: string) => object;
const field: Named = (name) => ({ name, fieldType: 'text', required: false, enabled: true, position: 0 });
const option: Named = (label) => ({
  ...{ name: `Of ${randomUUID()}`, fieldType: 'select', required: false, enabled: true, position: 0 },
  validationRules: { validOptions: [{ label }] },
});
const gate: Named = (name) => ({
  ...{ name, outcome: 'siteAccess' },
  rules: [{ type: 'token', address: { networkId: 1, contractAddress: COIN } }],
});
const rule: Named = (name) => ({ rulesToAdd: [{ name, ruleType: 'deny', chain: 'EVM', chainIds: [1] }] });
const wallet: Named = (walletName) => ({ walletName, popupPageTitle: 'Title' });

describe('a name that nobody can see is refused', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  type Door = [of: string, path: () => string, body: Named, status: number, as?: () => TestClient];
  const owner = (): TestClient => world.owner;
  const doors: Door[] = [
    ['an organization', () => '/organizations', (name) => ({ name }), 400, owner],
    ['a project', () => `/organizations/${world.ids.organizationId}/projects`, (name) => ({ name }), 400, owner],
    ['a custom field', () => world.path('/custom/fields'), field, 400],
    ['an option of a custom field', () => world.path('/custom/fields'), option, 400],
    ['a gate', () => world.path('/gates'), gate, 422],
    ['an allowlist', () => world.path('/allowlists'), (name) => ({ name }), 422],
    ['a rule of a signing policy', () => world.path('/waas/policies'), rule, 422],
    ['a global wallet', () => world.path('/globalWallet/settings'), wallet, 422, owner],
  ];

  it.each(doors)('as that of %s', async (of, path, body, status, as = () => world.api) => {
    const call = (name: string): Promise<Answer<unknown>> => as().post(path(), body(name));
    for (const name of BLANK) expect([name, (await call(name)).status]).toEqual([name, status]);
    const seen = await call(` ${of} `);
    expect([200, 201]).toContain(seen.status);
  });

  it('and a rule of a signing policy has one of at most 255 characters', async () => {
    const add = async (length: number): Promise<number> =>
      (await world.api.post(world.path('/waas/policies'), rule('a'.repeat(length)))).status;
    expect([await add(255), await add(256), await add(0)]).toEqual([201, 422, 422]);
  });
});
