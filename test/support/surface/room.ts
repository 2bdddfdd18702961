import type { Tenant } from './tenant.js';

/** Deletes all rows of the tenant except the one in its paths, to make room where the number is limited. */
export const keepOne =
  (table: string, scope: 'environmentId' | 'organizationId', record: string) =>
  async ({ db, ids }: Tenant): Promise<void> => {
    const column = scope === 'environmentId' ? 'environment_id' : 'organization_id';
    await db.query(`DELETE FROM ${table} WHERE ${column} = $1 AND id <> $2`, [ids[scope], ids[record]]);
  };
