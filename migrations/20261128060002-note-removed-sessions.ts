import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions that ended long ago are removed, and a recount leaves the figures of their months unchanged: a trigger
 * records up to when. Sessions deleted with their user are kept in `analytics_departures` and not recorded here.
 *
 * This has its own row rather than one in the progress of the figures: a recount locks that one and waits for users
 * being deleted, whose sessions the removal may have locked.
 */
export class NoteRemovedSessions20261128060002 implements MigrationInterface {
  name = 'NoteRemovedSessions20261128060002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX sessions_expired ON sessions (expires_at)');
    await runner.query('CREATE INDEX analytics_departures_by_slot ON analytics_departures (environment_id, slot)');
    await runner.query(`
      CREATE TABLE analytics_horizons (
        environment_id uuid NOT NULL PRIMARY KEY,
        sessions_since timestamptz NOT NULL,
        CONSTRAINT analytics_horizons_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE FUNCTION note_removed_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO analytics_horizons AS h (environment_id, sessions_since)
        SELECT r.environment_id, (date_trunc('month', max(r.created_at) AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC'
        FROM removed r
        WHERE EXISTS (SELECT FROM users u WHERE u.environment_id = r.environment_id AND u.id = r.user_id)
          AND EXISTS (SELECT FROM environments e WHERE e.id = r.environment_id AND e.deleted_at IS NULL)
        GROUP BY r.environment_id ORDER BY r.environment_id
        ON CONFLICT (environment_id) DO UPDATE SET sessions_since = excluded.sessions_since
        WHERE h.sessions_since < excluded.sessions_since;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER sessions_removed AFTER DELETE ON sessions REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION note_removed_sessions()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER sessions_removed ON sessions');
    await runner.query('DROP FUNCTION note_removed_sessions');
    await runner.query('DROP TABLE analytics_horizons');
    await runner.query('DROP INDEX analytics_departures_by_slot');
    await runner.query('DROP INDEX sessions_expired');
  }
}
