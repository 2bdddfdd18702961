import { newId } from '../../src/common/ids.js';
import { withClient } from '../stack/postgres.js';
import { emailOf } from './tenant.js';

const PLANT = `
  WITH entries AS (
    INSERT INTO allowlist_entries (environment_id, allowlist_id, id, fields)
    SELECT $1, $2, e.id, jsonb_build_object('email', e.email) FROM unnest($3::uuid[], $4::text[]) AS e (id, email))
  INSERT INTO allowlist_entry_keys (environment_id, allowlist_id, entry_id, key)
  SELECT $1, $2, e.id, 'email:' || e.email FROM unnest($3::uuid[], $4::text[]) AS e (id, email)`;

const BATCH = 10_000;

/** Adds the code users to an allowlist, spread evenly, with other entries between them up to the given size. */
export async function plantAllowlist(
  databaseUrl: string,
  list: { environmentId: string; allowlistId: string },
  { users, entries }: { users: number; entries: number },
): Promise<void> {
  const every = Math.floor(entries / users);
  const emails = Array.from({ length: entries }, (_, n) =>
    n % every === 0 && n / every < users ? emailOf(n / every) : `stranger-${n}@bench.example`,
  );
  await withClient(databaseUrl, async (client) => {
    for (let from = 0; from < entries; from += BATCH) {
      const batch = emails.slice(from, from + BATCH);
      await client.query(PLANT, [list.environmentId, list.allowlistId, batch.map(newId), batch]);
    }
    await client.query('VACUUM (ANALYZE) allowlist_entries, allowlist_entry_keys');
  });
}
