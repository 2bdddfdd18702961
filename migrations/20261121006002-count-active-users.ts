import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts users who were active this month before the triggers existed. A separate migration: the triggers are committed
 * by now, so each session is either seen here or counted by them, and no sign-in has to wait.
 */
export class CountActiveUsers20261121006002 implements MigrationInterface {
  name = 'CountActiveUsers20261121006002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      WITH active AS (
        INSERT INTO billing_active_users (environment_id, user_id, month)
        SELECT DISTINCT environment_id, user_id, date_trunc('month', now() AT TIME ZONE 'UTC')::date FROM sessions
        WHERE token_issued_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
        ON CONFLICT DO NOTHING
        RETURNING environment_id, month)
      INSERT INTO billing_usage AS u (organization_id, month, slot, users)
      SELECT e.organization_id, a.month, 0, count(*) FROM active a JOIN environments e ON e.id = a.environment_id
      WHERE e.organization_id IS NOT NULL GROUP BY e.organization_id, a.month
      ON CONFLICT (organization_id, month, slot) DO UPDATE SET users = u.users + excluded.users`);
  }

  /** The counts are dropped with the tables. */
  async down(): Promise<void> {}
}
