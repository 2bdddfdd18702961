import type pg from 'pg';
import { withClient } from '../stack/postgres.js';
import { emailOf, type Tenant } from './tenant.js';

const BATCH = 100_000;

/** Copies one user created by the service; only keys, emails and times differ. */
const COPY = `
  WITH pattern AS (
    SELECT u, c FROM users u JOIN credentials c ON c.environment_id = u.environment_id AND c.user_id = u.id
    WHERE u.environment_id = $1 AND u.email = $2
  ), fresh AS MATERIALIZED (
    SELECT gen_random_uuid() AS random_id, gen_random_uuid() AS random_credential_id,
      now() - make_interval(secs => $4 - n) AS at, 'crowd-' || n || '@bench.example' AS email
    FROM generate_series($3::int, $4::int) n
  ), keyed AS MATERIALIZED (
    SELECT at, email, pg_temp.ordered(at, random_id) AS id, pg_temp.ordered(at, random_credential_id) AS credential_id
    FROM fresh
  ), user_rows AS (
    INSERT INTO users SELECT r.* FROM keyed, pattern, jsonb_populate_record(u, jsonb_build_object('id', id,
      'email', email, 'last_verified_credential_id', credential_id, 'created_at', at, 'updated_at', at)) r
  )
  INSERT INTO credentials SELECT r.* FROM keyed, pattern, jsonb_populate_record(c, jsonb_build_object(
    'id', credential_id, 'user_id', id, 'email', email, 'public_identifier', email, 'created_at', at)) r`;

/** A UUIDv7 (RFC 9562 §5.7) for a time: its milliseconds, the version, and the rest of a random UUID. */
const ORDERED = `
  CREATE FUNCTION pg_temp.ordered(at timestamptz, random uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(replace(random::text, '-', ''), 14))::uuid
  $$`;

/** Adds users directly to the tables until the environment has `total`, then vacuums them. */
export async function plantCrowd(
  { databaseUrl, tenant, total }: { databaseUrl: string; tenant: Tenant; total: number },
  log: (line: string) => void,
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const search = await dropSearchIndexes(client);
    await client.query(ORDERED);
    const values = [tenant.environmentId, emailOf(0)];
    for (let from = 1; from <= total; from += BATCH) {
      const to = Math.min(total, from + BATCH - 1);
      await client.query(COPY, [...values, from, to]);
      log(`${to} of ${total} users`);
    }
    for (const definition of search) await client.query(definition);
    await client.query('VACUUM (ANALYZE)');
  });
}

/** Filling a trigram index row by row is slower than building it. @returns statements that rebuild the dropped ones */
async function dropSearchIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'users' AND indexdef LIKE '%USING gin%'",
  );
  for (const { indexname } of rows) await client.query(`DROP INDEX "${indexname}"`);
  return rows.map(({ indexdef }) => indexdef);
}
