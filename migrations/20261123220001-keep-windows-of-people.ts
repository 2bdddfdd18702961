import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sets of people per half day, starting at any hour, so that a local day takes two sets instead of two dozen. The
 * worker creates them once the half day is over; the trigger adds late arrivals, including those from instances of the
 * previous version.
 */
export class KeepWindowsOfPeople20261123220001 implements MigrationInterface {
  name = 'KeepWindowsOfPeople20261123220001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analytics_progress ADD COLUMN windows_until timestamptz');
    // The completed windows that contain the hour; a writer of an hour holds the lock on the progress.
    await runner.query(`
      CREATE FUNCTION keep_windows() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO analytics_presence AS p (environment_id, kind, level, slot, chunk, bits)
        SELECT NEW.environment_id, NEW.kind, 4, w.slot, NEW.chunk, NEW.bits
        FROM analytics_progress g
        CROSS JOIN generate_series(NEW.slot - interval '11 hours', NEW.slot, interval '1 hour') AS w (slot)
        WHERE g.environment_id = NEW.environment_id AND w.slot + interval '12 hours' <= g.windows_until
        ON CONFLICT (environment_id, kind, level, slot, chunk) DO UPDATE SET bits = p.bits | excluded.bits;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER windows_kept AFTER INSERT OR UPDATE ON analytics_presence FOR EACH ROW
      WHEN (NEW.level = 1) EXECUTE FUNCTION keep_windows()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER windows_kept ON analytics_presence');
    await runner.query('DROP FUNCTION keep_windows');
    await runner.query('DELETE FROM analytics_presence WHERE level = 4');
    await runner.query('ALTER TABLE analytics_progress DROP COLUMN windows_until');
  }
}
