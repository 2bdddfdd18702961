import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from './support/app.js';
import { actionsOf } from './support/audit.js';
import { operations } from './support/surface/operations.js';
import { RawClient } from './support/surface/raw-client.js';
import { Tenant } from './support/surface/tenant.js';
import { validCall } from './support/surface/valid-call.js';

describe('every operation of the dashboard that changes something', () => {
  let test: TestApp;
  let tenant: Tenant;
  let client: RawClient;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    tenant = await Tenant.create(test);
    client = new RawClient(test.url);
  });
  afterAll(async () => {
    client.close();
    await tenant.close();
    await test.close();
  });

  const changing = operations.filter(({ audience, method }) => audience === 'dashboard' && method !== 'GET');

  it.each(changing.map((operation) => [operation.id, operation] as const))(
    '%s leaves a record of who did it, named by an event that it documents, or is known to leave none',
    async (_id, operation) => {
      const request = { ...(await validCall(tenant, operation)), token: tenant.world.ownerToken };
      const owner = tenant.world.ids.ownerUserId;
      const known = (await actionsOf(test, owner)).length;
      expect((await client.send(request)).status).toBeLessThan(300);
      const made = (await actionsOf(test, owner)).slice(known);
      if (operation.surface.unrecorded) {
        expect(made).toEqual([]);
        return;
      }
      expect(made.length).toBeGreaterThan(0);
      expect(made.filter((action) => !operation.events.includes(action))).toEqual([]);
    },
  );
});
