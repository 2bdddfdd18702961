import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The number of visitors of an environment, and users and visitors per day, maintained by triggers to avoid counting
 * rows. Writers wait during the initial count; otherwise their rows would be counted twice or not at all.
 */
export class CountVisitors20261122220001 implements MigrationInterface {
  name = 'CountVisitors20261122220001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX visitors_by_creation ON visitors (environment_id, created_at, id)');
    await runner.query('CREATE INDEX visitors_of_chain ON visitors (environment_id, chain, created_at, id)');
    await runner.query('CREATE INDEX visitors_address ON visitors (environment_id, lower(address))');
    await runner.query('CREATE INDEX visitors_old ON visitors (last_visit)');
    await runner.query(`
      CREATE TABLE visitor_counts (
        environment_id uuid NOT NULL,
        chain text NOT NULL,
        slot smallint NOT NULL,
        visitors bigint NOT NULL,
        PRIMARY KEY (environment_id, chain, slot),
        CONSTRAINT visitor_counts_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE visit_days (
        environment_id uuid NOT NULL,
        kind text NOT NULL,
        day date NOT NULL,
        slot smallint NOT NULL,
        people bigint NOT NULL,
        PRIMARY KEY (environment_id, kind, day, slot),
        CONSTRAINT visit_days_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE,
        CONSTRAINT visit_days_kind CHECK (kind IN ('user', 'visitor'))
      )`);
    await runner.query('CREATE INDEX visit_days_old ON visit_days (day)');
    // Each connection counts in its own slot, so that concurrent writers do not queue for one row.
    await runner.query(`
      CREATE FUNCTION count_visitors() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO visitor_counts AS c (environment_id, chain, slot, visitors)
        SELECT environment_id, chain, (pg_backend_pid() % 64)::smallint,
          CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed WHERE EXISTS (SELECT FROM environments e WHERE e.id = changed.environment_id)
        GROUP BY environment_id, chain ORDER BY environment_id, chain
        ON CONFLICT (environment_id, chain, slot) DO UPDATE SET visitors = c.visitors + excluded.visitors;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER visitors_counted_in AFTER INSERT ON visitors REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_visitors()`);
    await runner.query(`
      CREATE TRIGGER visitors_counted_out AFTER DELETE ON visitors REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_visitors()`);
    // A person counts only on the day of their last visit, so the sum over thirty days counts each person once. Days
    // outside the reported range are not stored, so departures from them are not counted either.
    await runner.query(`
      CREATE FUNCTION count_visit_days() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        left_day date;
        new_day date;
        environment uuid;
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          left_day := (OLD.last_visit AT TIME ZONE 'UTC')::date;
          environment := OLD.environment_id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          new_day := (NEW.last_visit AT TIME ZONE 'UTC')::date;
          environment := NEW.environment_id;
        END IF;
        IF left_day IS NOT DISTINCT FROM new_day THEN
          RETURN NULL;
        END IF;
        INSERT INTO visit_days AS d (environment_id, kind, day, slot, people)
        SELECT environment, TG_ARGV[0], c.day, (pg_backend_pid() % 64)::smallint, c.people
        FROM (VALUES (left_day, -1), (new_day, 1)) AS c (day, people)
        WHERE c.day >= (now() AT TIME ZONE 'UTC')::date - 40
          AND EXISTS (SELECT FROM environments e WHERE e.id = environment)
        ORDER BY c.day
        ON CONFLICT (environment_id, kind, day, slot) DO UPDATE SET people = d.people + excluded.people;
        RETURN NULL;
      END $$`);
    for (const [table, kind] of [
      ['visitors', 'visitor'],
      ['users', 'user'],
    ] as const) {
      // An update writes nothing unless it is the first visit of the day.
      await runner.query(`
        CREATE TRIGGER ${table}_day_counted AFTER INSERT OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION count_visit_days('${kind}')`);
      await runner.query(`
        CREATE TRIGGER ${table}_day_moved AFTER UPDATE OF last_visit ON ${table} FOR EACH ROW
        WHEN ((OLD.last_visit AT TIME ZONE 'UTC')::date IS DISTINCT FROM (NEW.last_visit AT TIME ZONE 'UTC')::date)
        EXECUTE FUNCTION count_visit_days('${kind}')`);
      await runner.query(`
        INSERT INTO visit_days (environment_id, kind, day, slot, people)
        SELECT environment_id, '${kind}', (last_visit AT TIME ZONE 'UTC')::date, 0, count(*) FROM ${table}
        WHERE last_visit >= now() - interval '40 days' GROUP BY 1, 3`);
    }
    await runner.query(`
      INSERT INTO visitor_counts (environment_id, chain, slot, visitors)
      SELECT environment_id, chain, 0, count(*) FROM visitors GROUP BY 1, 2`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['visitors', 'users']) {
      await runner.query(`DROP TRIGGER ${table}_day_counted ON ${table}`);
      await runner.query(`DROP TRIGGER ${table}_day_moved ON ${table}`);
    }
    await runner.query('DROP TRIGGER visitors_counted_in ON visitors');
    await runner.query('DROP TRIGGER visitors_counted_out ON visitors');
    await runner.query('DROP FUNCTION count_visitors');
    await runner.query('DROP FUNCTION count_visit_days');
    await runner.query('DROP TABLE visitor_counts, visit_days');
    await runner.query('DROP INDEX visitors_by_creation, visitors_of_chain, visitors_address, visitors_old');
  }
}
