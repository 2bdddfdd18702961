import { generateKeyPairSync } from 'node:crypto';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const newKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }) as string;

/** As if a minute had gone by, so that another key may take over; of those between the first and the newest some go. */
async function makeRoom({ world, db }: Tenant): Promise<void> {
  const of = [world.environmentId];
  await db.query(
    `UPDATE delegation_keys SET active_at = active_at - interval '61 s', revoked_at = revoked_at - interval '61 s'
     WHERE environment_id = $1`,
    of,
  );
  await db.query(
    `DELETE FROM delegation_keys k USING (
       SELECT id, row_number() OVER (ORDER BY id) AS oldest, row_number() OVER (ORDER BY id DESC) AS newest
       FROM delegation_keys WHERE environment_id = $1) r
     WHERE k.environment_id = $1 AND k.id = r.id AND r.oldest > 1 AND r.newest > 50`,
    of,
  );
}

async function makeKey(tenant: Tenant): Promise<string> {
  const { world, db } = tenant;
  await makeRoom(tenant);
  const path = world.path('/waas/delegatedAccess/encryptionPublicKeys');
  await world.api.post(path, { publicKey: newKey() }, { expect: 201 });
  const newest = 'SELECT id FROM delegation_keys WHERE environment_id = $1 ORDER BY id DESC LIMIT 1';
  return (await db.query<{ id: string }>(newest, [world.environmentId])).rows[0]!.id;
}

export const surface: Surface = {
  records: { keyId: { make: makeKey } },
  operations: {
    createDelegatedCredentials: {
      request: async (tenant) => {
        await makeRoom(tenant);
        return { body: { publicKey: newKey() } };
      },
      rulesBeyondTheSchema: /^(publicKey|alg): /,
    },
    getDelegatedAccessEncryptionPublicKey: {
      request: async (tenant) => {
        await makeKey(tenant);
        return {};
      },
    },
  },
};
