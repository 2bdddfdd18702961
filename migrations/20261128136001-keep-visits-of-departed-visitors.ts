import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Visits outlive deleted visitors, like the sign-ins of deleted users: a foreign key took those that no figure counted
 * yet, so the figures depended on when the worker ran. Facts and places reference visitors by a trigger now. Visits are
 * not counted anew, so that a place is kept only for facts that wait.
 */
export class KeepVisitsOfDepartedVisitors20261128136001 implements MigrationInterface {
  name = 'KeepVisitsOfDepartedVisitors20261128136001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE analytics_facts DROP CONSTRAINT analytics_facts_visitor');
    await runner.query('ALTER TABLE analytics_people DROP CONSTRAINT analytics_people_visitor');
    await runner.query(`
      CREATE FUNCTION note_visitor_departure() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE nobody uuid := gen_random_uuid();
      BEGIN
        IF EXISTS (SELECT FROM environments e WHERE e.id = OLD.environment_id AND e.deleted_at IS NULL) THEN
          UPDATE analytics_facts SET visitor_id = nobody WHERE environment_id = OLD.environment_id AND visitor_id = OLD.id;
          IF FOUND THEN
            UPDATE analytics_people SET visitor_id = nobody WHERE environment_id = OLD.environment_id AND visitor_id = OLD.id;
          ELSE
            DELETE FROM analytics_people WHERE environment_id = OLD.environment_id AND visitor_id = OLD.id;
          END IF;
        END IF;
        RETURN OLD;
      END $$`);
    await runner.query(`
      CREATE TRIGGER visitors_departed BEFORE DELETE ON visitors FOR EACH ROW EXECUTE FUNCTION note_visitor_departure()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER visitors_departed ON visitors');
    await runner.query('DROP FUNCTION note_visitor_departure');
    // Rows of deleted visitors would violate the foreign key.
    for (const table of ['analytics_facts', 'analytics_people']) {
      await runner.query(`
        DELETE FROM ${table} t WHERE visitor_id IS NOT NULL AND NOT EXISTS (
          SELECT FROM visitors v WHERE v.environment_id = t.environment_id AND v.id = t.visitor_id)`);
      await runner.query(`
        ALTER TABLE ${table} ADD CONSTRAINT ${table}_visitor
        FOREIGN KEY (environment_id, visitor_id) REFERENCES visitors (environment_id, id) ON DELETE CASCADE`);
    }
  }
}
