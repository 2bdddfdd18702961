import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sign-ins outlive deleted users, so that a recount yields the same figures: they are kept per quarter of an hour,
 * under a random id that nothing else references. The sign-in method is stored with the session, because the credential
 * may be deleted first.
 *
 * Facts and places reference users by a trigger instead of a foreign key: the worker never waits for a user deletion,
 * and a user deleted before the worker's run is still counted.
 */
export class KeepFiguresOfDepartedUsers20261123190017 implements MigrationInterface {
  name = 'KeepFiguresOfDepartedUsers20261123190017';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE analytics_departures (
        environment_id uuid NOT NULL,
        person uuid NOT NULL,
        slot timestamptz NOT NULL,
        name text NOT NULL,
        system text NOT NULL,
        count integer NOT NULL,
        PRIMARY KEY (environment_id, person, slot, name, system),
        CONSTRAINT analytics_departures_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('ALTER TABLE sessions ADD COLUMN method text');
    await runner.query(`
      CREATE FUNCTION name_method() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.method := coalesce((
          SELECT analytics_method(c.format, c.oauth_provider) FROM credentials c
          WHERE c.environment_id = NEW.environment_id AND c.id = NEW.credential_id), 'other');
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER sessions_named BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION name_method()`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION note_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO analytics_facts (environment_id, id, kind, at, user_id, name, system)
        SELECT s.environment_id, gen_random_uuid(), 'session', s.created_at, s.user_id, s.method,
          analytics_system(s.user_agent)
        FROM changed s;
        RETURN NULL;
      END $$`);
    // A user may sign in more often within a quarter of an hour than a small integer can hold.
    await runner.query(
      'ALTER TABLE analytics_facts ALTER amount DROP DEFAULT, ALTER amount TYPE integer, ALTER amount SET DEFAULT 1',
    );
    await runner.query('ALTER TABLE analytics_facts DROP CONSTRAINT analytics_facts_user');
    await runner.query('ALTER TABLE analytics_people DROP CONSTRAINT analytics_people_user');
    // Facts first: the worker locks them until it has assigned their user's place, which is then visible here.
    await runner.query(`
      CREATE FUNCTION note_departure() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE nobody uuid := gen_random_uuid();
      BEGIN
        IF EXISTS (SELECT FROM environments e WHERE e.id = OLD.environment_id AND e.deleted_at IS NULL) THEN
          UPDATE analytics_facts SET user_id = nobody WHERE environment_id = OLD.environment_id AND user_id = OLD.id;
          UPDATE analytics_people SET user_id = nobody WHERE environment_id = OLD.environment_id AND user_id = OLD.id;
          INSERT INTO analytics_departures (environment_id, person, slot, name, system, count)
          SELECT s.environment_id, nobody, date_bin('15 minutes', s.created_at, timestamptz '2000-01-01 00:00:00Z'),
            coalesce(s.method, analytics_method(c.format, c.oauth_provider)), analytics_system(s.user_agent), count(*)
          FROM sessions s LEFT JOIN credentials c ON c.environment_id = s.environment_id AND c.id = s.credential_id
          WHERE s.environment_id = OLD.environment_id AND s.user_id = OLD.id
          GROUP BY 1, 2, 3, 4, 5;
        END IF;
        RETURN OLD;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_departed BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION note_departure()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER users_departed ON users');
    await runner.query('DROP FUNCTION note_departure');
    // Rows of deleted users would violate the foreign key.
    for (const table of ['analytics_facts', 'analytics_people']) {
      await runner.query(`
        DELETE FROM ${table} t WHERE user_id IS NOT NULL AND NOT EXISTS (
          SELECT FROM users u WHERE u.environment_id = t.environment_id AND u.id = t.user_id)`);
      await runner.query(`
        ALTER TABLE ${table} ADD CONSTRAINT ${table}_user
        FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id) ON DELETE CASCADE`);
    }
    await runner.query('UPDATE analytics_facts SET amount = least(amount, 32767) WHERE amount > 32767');
    await runner.query(
      'ALTER TABLE analytics_facts ALTER amount DROP DEFAULT, ALTER amount TYPE smallint, ALTER amount SET DEFAULT 1',
    );
    await runner.query(`
      CREATE OR REPLACE FUNCTION note_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO analytics_facts (environment_id, id, kind, at, user_id, name, system)
        SELECT s.environment_id, gen_random_uuid(), 'session', s.created_at, s.user_id, analytics_method(c.format, c.oauth_provider),
          analytics_system(s.user_agent)
        FROM changed s
        LEFT JOIN credentials c ON c.environment_id = s.environment_id AND c.id = s.credential_id;
        RETURN NULL;
      END $$`);
    await runner.query('DROP TRIGGER sessions_named ON sessions');
    await runner.query('DROP FUNCTION name_method');
    await runner.query('ALTER TABLE sessions DROP COLUMN method');
    await runner.query('DROP TABLE analytics_departures');
  }
}
