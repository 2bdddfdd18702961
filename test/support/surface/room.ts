import type { Tenant } from './tenant.js';

/** Takes away all rows of the tenant but the one that its paths name, where there may be only so many. */
export const keepOne =
  (table: string, scope: 'environmentId' | 'organizationId', record: string) =>
  async ({ db, ids }: Tenant): Promise<void> => {
    const column = scope === 'environmentId' ? 'environment_id' : 'organization_id';
    await db.query(`DELETE FROM ${table} WHERE ${column} = $1 AND id <> $2`, [ids[scope], ids[record]]);
  };
