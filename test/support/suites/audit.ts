import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { actionsOf } from '../audit.js';
import type { ApiOperation } from '../surface/operations.js';
import type { RawAnswer } from '../surface/raw-client.js';
import { ownerToken } from '../surface/fresh-proof.js';
import { validCall } from '../surface/valid-call.js';
import type { Installation } from './installation.js';
import { startTenantApp, type TenantApp } from './tenant-app.js';

/** Checks the audit record of every dashboard operation that changes something. */
export function auditSuite(installation: Installation): void {
  let own: TenantApp;

  beforeAll(async () => {
    own = await startTenantApp(installation);
  });
  afterAll(() => own?.close());

  /**
   * A change without a record is traced by its event, which names the request; the log has the caller of the request.
   */
  async function expectTraced({ surface: { untold } }: ApiOperation, { headers }: RawAnswer): Promise<void> {
    const sql = 'SELECT name FROM events WHERE request_id = $1';
    const events = await own.tenant.db.query(sql, [headers['x-request-id']]);
    expect(events.rows.length > 0).toBe(untold === undefined);
  }

  const changing = installation.operations.filter(
    ({ audience, method }) => audience === 'dashboard' && method !== 'GET',
  );

  it.each(changing.map((operation) => [operation.id, operation] as const))(
    '%s leaves a record of who did it, named by an event that it documents, or an event that leads to who did it',
    async (_id, operation) => {
      const owner = own.tenant.world.ids.ownerUserId;
      // Members cannot call what is for API tokens only.
      const isForTokens = operation.surface.callers?.["the owner's session of the console"] !== undefined;
      const token = isForTokens ? own.tenant.world.token : await ownerToken(own.tenant, operation);
      const request = { ...(await validCall(own.tenant, operation)), token };
      const known = (await actionsOf(own.test, owner)).length;
      const answer = await own.client.send(request);
      expect(answer.status).toBeLessThan(300);
      const made = (await actionsOf(own.test, owner)).slice(known);
      if (operation.surface.unrecorded) await expectTraced(operation, answer);
      else expect(made.length).toBeGreaterThan(0);
      expect(made.filter((action) => !operation.events.includes(action))).toEqual([]);
    },
  );
}
