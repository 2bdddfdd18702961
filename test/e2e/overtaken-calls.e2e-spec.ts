import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sessionsWaiting } from '../support/lock-waits.js';
import { eventually } from '../support/receiver.js';
import { startTenantApp, type TenantApp } from '../support/suites/tenant-app.js';
import { operations } from '../support/surface/operations.js';
import type { RawAnswer } from '../support/surface/raw-client.js';
import { validCall } from '../support/surface/valid-call.js';

/** What another call has taken when this one writes: its statement then touches no row. */
const TAKEN = [
  ['the room', 'UPDATE', 'ceremony_rooms', ['createWaasAccount', 'signMessage', 'refreshKeyShares', 'reshare']],
  ['the place of the seed', 'INSERT', 'wallet_seeds', ['createEmbeddedWallets']],
] as const;
const CALLS = TAKEN.flatMap(([what, verb, table, ids]) => ids.map((id) => [id, what, verb, table] as const));

describe('a call that another one overtakes', () => {
  let own: TenantApp;

  beforeAll(async () => {
    own = await startTenantApp();
    await own.tenant.db.query(
      'CREATE FUNCTION is_taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    );
  }, 120_000);
  afterAll(() => own?.close());

  const callOf = (id: string) =>
    validCall(
      own.tenant,
      operations.find((operation) => operation.id === id)!,
    );
  const answered = ({ status, body }: RawAnswer): unknown => {
    const { code, error } = body as { code?: string; error?: { code?: string } };
    return [status, code ?? error?.code];
  };

  it.each(CALLS)('answers that it was overtaken: %s, when %s is taken', async (id, _, verb, table) => {
    const call = await callOf(id);
    // Whoever has a seed gets wallets of it; one that is condemned is none.
    const condemn = "UPDATE wallet_seeds SET destroy_after = now() + interval '1 day' WHERE user_id = $1";
    if (table === 'wallet_seeds') await own.tenant.db.query(condemn, [own.tenant.endUser.userId]);
    await own.tenant.db.query(
      `CREATE TRIGGER taken BEFORE ${verb} ON ${table} FOR EACH ROW EXECUTE FUNCTION is_taken()`,
    );
    try {
      expect(answered(await own.client.send(call))).toEqual([409, 'conflict']);
    } finally {
      await own.tenant.db.query(`DROP TRIGGER taken ON ${table}`);
    }
    expect((await own.client.send(await callOf(id))).status).toBeLessThan(300);
  });

  it('answers that it was overtaken: createWalletAccount, when the user is deleted', async () => {
    const call = await callOf('createWalletAccount');
    await own.tenant.db.query('BEGIN');
    await own.tenant.db.query('DELETE FROM users WHERE id = $1', [own.tenant.endUser.userId]);
    const answer = own.client.send(call);
    await eventually('the call waits for the user', async () => (await sessionsWaiting(own.test.databaseUrl)) > 0);
    await own.tenant.db.query('COMMIT');
    expect(answered(await answer)).toEqual([409, 'conflict']);
  });
});
