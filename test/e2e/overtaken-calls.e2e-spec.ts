import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.js';
import { sessionsWaiting } from '../support/lock-waits.js';
import { eventually } from '../support/receiver.js';
import { peerSettings } from '../support/suites/peers.js';
import { operations } from '../support/surface/operations.js';
import { RawClient, type RawAnswer } from '../support/surface/raw-client.js';
import { Tenant } from '../support/surface/tenant.js';
import { validCall } from '../support/surface/valid-call.js';

/** What another call has taken when this one writes: its statement then touches no row. */
const TAKEN = [
  ['the room', 'UPDATE', 'ceremony_rooms', ['createWaasAccount', 'signMessage', 'refreshKeyShares', 'reshare']],
  ['the place of the seed', 'INSERT', 'wallet_seeds', ['createEmbeddedWallets']],
] as const;
const CALLS = TAKEN.flatMap(([what, verb, table, ids]) => ids.map((id) => [id, what, verb, table] as const));

describe('a call that another one overtakes', () => {
  let test: TestApp;
  let tenant: Tenant;
  let client: RawClient;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api', ...(await peerSettings()) } });
    tenant = await Tenant.create(test);
    client = new RawClient(test.url);
    await tenant.db.query(
      'CREATE FUNCTION is_taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    );
  }, 120_000);
  afterAll(async () => {
    client?.close();
    await tenant?.close();
    await test?.close();
  });

  const callOf = (id: string) =>
    validCall(
      tenant,
      operations.find((operation) => operation.id === id)!,
    );
  const answered = ({ status, body }: RawAnswer): unknown => {
    const { code, error } = body as { code?: string; error?: { code?: string } };
    return [status, code ?? error?.code];
  };

  it.each(CALLS)('is told so: %s, when %s is taken', async (id, _, verb, table) => {
    const call = await callOf(id);
    // Whoever has a seed gets wallets of it; one that is condemned is none.
    const condemn = "UPDATE wallet_seeds SET destroy_after = now() + interval '1 day' WHERE user_id = $1";
    if (table === 'wallet_seeds') await tenant.db.query(condemn, [tenant.endUser.userId]);
    await tenant.db.query(`CREATE TRIGGER taken BEFORE ${verb} ON ${table} FOR EACH ROW EXECUTE FUNCTION is_taken()`);
    try {
      expect(answered(await client.send(call))).toEqual([409, 'conflict']);
    } finally {
      await tenant.db.query(`DROP TRIGGER taken ON ${table}`);
    }
    expect((await client.send(await callOf(id))).status).toBeLessThan(300);
  });

  it('is told so: createWalletAccount, when the user is deleted', async () => {
    const call = await callOf('createWalletAccount');
    await tenant.db.query('BEGIN');
    await tenant.db.query('DELETE FROM users WHERE id = $1', [tenant.endUser.userId]);
    const answer = client.send(call);
    await eventually('the call waits for the user', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
    await tenant.db.query('COMMIT');
    expect(answered(await answer)).toEqual([409, 'conflict']);
  });
});
