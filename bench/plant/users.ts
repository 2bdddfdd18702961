import { withClient } from '../stack/postgres.js';
import type { Program } from '../stack/program.js';
import type { LoadJob, LoadResult } from '../load/load-job.js';
import { emailOf, type Tenant } from './tenant.js';

/** Also created under load: a user with a verified email and its credential. */
export const newUserBody = (email: string): string =>
  JSON.stringify({
    email,
    emailVerifiedAt: '2026-01-01T00:00:00.000Z',
    alias: 'Bench user',
    firstName: 'Ada',
    lastName: 'Lovelace',
  });

/** Creates the tenant's code users through the API. */
export async function plantUsers(
  load: Program<LoadJob, LoadResult>,
  { origin, tenant, users }: { origin: string; tenant: Tenant; users: number },
): Promise<void> {
  const { answers, failures } = await load.ask({
    origin,
    connections: 16,
    durationMs: 600_000,
    status: 201,
    repeat: false,
    label: 'plant',
    requests: Array.from({ length: users }, (_, index) => ({
      method: 'POST',
      path: `/api/v0/environments/${tenant.environmentId}/users`,
      headers: { authorization: `Bearer ${tenant.token}`, 'content-type': 'application/json' },
      body: newUserBody(emailOf(index)),
    })),
  });
  if (answers !== users) throw new Error(`Of ${users} users ${answers} were created: ${JSON.stringify(failures)}`);
}

/** Updates the statistics, as autovacuum would on a server that has been running for a while. */
export const settle = (databaseUrl: string): Promise<unknown> =>
  withClient(databaseUrl, (client) => client.query('VACUUM (ANALYZE)'));

/** Ids of up to `limit` users, spread over the table. */
export async function someUserIds(databaseUrl: string, environmentId: string, limit: number): Promise<string[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ id: string }>(`SELECT id FROM users WHERE environment_id = $1 ORDER BY md5(id::text) LIMIT $2`, [
      environmentId,
      limit,
    ]),
  );
  return rows.map(({ id }) => id);
}

/** Emails of users without a wallet, newest first. */
export async function walletlessEmails(databaseUrl: string, environmentId: string, limit: number): Promise<string[]> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ email: string }>(
      `SELECT u.email FROM users u
       WHERE u.environment_id = $1 AND u.email IS NOT NULL
         AND NOT EXISTS (SELECT FROM wallets w WHERE w.environment_id = $1 AND w.user_id = u.id)
       ORDER BY u.created_at DESC LIMIT $2`,
      [environmentId, limit],
    ),
  );
  return rows.map(({ email }) => email);
}
