import type pg from 'pg';
import type { Tenant } from './tenant.js';

/** One line per table: the number of rows, and a digest of their contents. */
export type DatabaseContent = Record<string, string>;

/**
 * The contents of the tables, for comparing two moments. With `mentioning`, only rows that contain one of these texts:
 * the rows of a tenant, in all tables or in `only`. Ignores last-use times of tokens, which reads update too.
 */
export async function databaseContent(
  db: pg.Client,
  mentioning?: readonly string[],
  only?: readonly string[],
): Promise<DatabaseContent> {
  const tables = await db.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'public' AND ($1::text[] IS NULL OR tablename = ANY ($1)) ORDER BY tablename`,
    [only ?? null],
  );
  if (tables.rows.length === 0) return {};
  const parts = tables.rows.map(
    ({ name }) =>
      `SELECT '${name}' AS name, count(*) || ' rows, ' || md5(coalesce(string_agg(row, E'\\n' ORDER BY row), '')) AS content
       FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM "${name}" t) AS rows
       ${mentioning ? 'WHERE row ~ $1' : ''}`,
  );
  const found = await db.query<{ name: string; content: string }>(
    parts.join(' UNION ALL '),
    mentioning ? [mentioning.join('|')] : [],
  );
  return Object.fromEntries(found.rows.map(({ name, content }) => [name, content]));
}

/** Every row of a tenant: one that contains the id of its organization, project, an environment or the owner. */
export const contentOf = ({ db, world: { ids } }: Tenant, only?: readonly string[]): Promise<DatabaseContent> =>
  databaseContent(db, [ids.organizationId, ids.projectId, ids.ownerUserId, ...Object.values(ids.environments)], only);
