import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import type { TestClient } from '../support/client.js';
import { rowsOf } from '../support/rows.js';
import { sharedTestApp } from '../support/shared-app.js';
import { customNetwork } from '../support/surface/custom-network.js';
import { World } from '../support/world.js';

/** A record that was created, the path that updates it, and a body that says what is stored already. */
interface Stored {
  client: TestClient;
  path: string;
  body: Record<string, unknown>;
  other: Record<string, unknown>;
}

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});

afterAll(() => test.close());

const made = async <T>(client: TestClient, path: string, body: object): Promise<T> => {
  const answer = await client.post<T>(path, body);
  expect([200, 201]).toContain(answer.status);
  return answer.body;
};

const told = async (): Promise<string[]> => {
  const sql = `SELECT name FROM events WHERE environment_id = $1 OR data ->> 'organizationId' = $2 ORDER BY created_at, id`;
  const rows = await rowsOf<{ name: string }>(test, sql, [world.environmentId, world.ids.organizationId]);
  return rows.map(({ name }) => name);
};
const recorded = async (): Promise<string[]> =>
  (await auditOf(test, world.ids.organizationId)).map(({ action }) => action);

const ROOMS: Record<string, () => Promise<Stored>> = {
  provider: async () => {
    const body = { clientId: 'a client' };
    const path = world.path('/settings/providers');
    const { id } = await made<{ id: string }>(world.owner, path, { provider: 'github', ...body });
    return { client: world.owner, path: `/settings/providers/${id}`, body, other: { clientId: 'another client' } };
  },
  webhook: async () => {
    const body = { url: 'https://hooks.example.com/in', isEnabled: false, events: ['user.created'] };
    const { webhookId } = await made<{ webhookId: string }>(world.api, world.path('/webhooks'), body);
    const path = world.path(`/webhooks/${webhookId}`);
    return { client: world.api, path, body, other: { ...body, events: ['user.deleted'] } };
  },
  customField: async () => {
    const body = { name: 'Shoe size', enabled: true, required: false, fieldType: 'text', position: 1 };
    const { id } = await made<{ id: string }>(world.api, world.path('/custom/fields'), body);
    return { client: world.api, path: `/custom/fields/${id}`, body, other: { ...body, position: 2 } };
  },
  customNetwork: async () => {
    const body = customNetwork('unchanged');
    const path = `/organizations/${world.ids.organizationId}/customNetworks`;
    const { customNetwork: one } = await made<{ customNetwork: { id: string } }>(world.owner, path, body);
    return { client: world.owner, path: `${path}/${one.id}`, body, other: { ...body, chainName: 'another' } };
  },
  globalWallet: async () => {
    const path = world.path('/globalWallet/settings');
    const body = { walletName: 'Shop Wallet' };
    await made(world.api, path, body);
    return { client: world.api, path, body, other: { walletName: 'Bank Wallet' } };
  },
  project: async () => {
    const path = `/organizations/${world.ids.organizationId}/projects`;
    const { project } = await made<{ project: { id: string } }>(world.owner, path, { name: 'Second' });
    return { client: world.owner, path: `/projects/${project.id}`, body: { name: 'Second' }, other: { name: 'Third' } };
  },
  organization: async () => {
    const path = `/organizations/${world.ids.organizationId}`;
    const body = { name: 'Looms', description: 'We weave.' };
    await world.owner.put(path, body, { expect: 200 });
    return { client: world.owner, path, body, other: { ...body, description: 'We knit.' } };
  },
};

describe('an update to what is stored already', () => {
  it.each(Object.keys(ROOMS))(
    'of a %s is answered, and neither recorded nor told, unlike one that differs',
    async (room) => {
      const { client, path, body, other } = await ROOMS[room]!();
      const before = [await told(), await recorded()];
      await client.put(path, body, { expect: 200 });
      expect([await told(), await recorded()]).toEqual(before);
      await client.put(path, other, { expect: 200 });
      expect((await recorded()).slice(before[1]!.length)).toEqual([expect.stringMatching(/\.updated$/)]);
    },
  );
});
