import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Figures on users and usage. Triggers note each sign-in, visit and wallet in the same transaction, so that late
 * commits are included; the worker aggregates the notes into sums and sets of people, and deletes them.
 */
export class CreateAnalytics20261122530001 implements MigrationInterface {
  name = 'CreateAnalytics20261122530001';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner);
    await runner.query(`
      CREATE FUNCTION analytics_method(format text, provider text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE WHEN format = 'oauth' THEN coalesce(provider, 'oauth') ELSE coalesce(format, 'other') END
      $$`);
    // The order matters: ChromeOS user agents do not contain Linux, Android ones do, and iOS ones contain Mac OS X.
    await runner.query(`
      CREATE FUNCTION analytics_system(agent text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE WHEN agent ~ '(iPhone|iPad|iPod)' THEN 'iOS' WHEN agent ~ 'Android' THEN 'Android'
          WHEN agent ~ 'Windows' THEN 'Windows' WHEN agent ~ '(Macintosh|Mac OS X)' THEN 'macOS'
          WHEN agent ~ 'CrOS' THEN 'ChromeOS' WHEN agent ~ 'Linux' THEN 'Linux' ELSE 'other' END
      $$`);
    await runner.query(`
      CREATE FUNCTION note_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO analytics_facts (environment_id, id, kind, at, user_id, name, system)
        SELECT s.environment_id, gen_random_uuid(), 'session', s.created_at, s.user_id, analytics_method(c.format, c.oauth_provider),
          analytics_system(s.user_agent)
        FROM changed s
        LEFT JOIN credentials c ON c.environment_id = s.environment_id AND c.id = s.credential_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER sessions_noted AFTER INSERT ON sessions REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION note_sessions()`);
    await runner.query(`
      CREATE FUNCTION note_visit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO analytics_facts (environment_id, id, kind, at, visitor_id)
        VALUES (NEW.environment_id, gen_random_uuid(), 'visit', NEW.last_visit, NEW.id);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER visits_noted AFTER INSERT OR UPDATE OF visits ON visitors
      FOR EACH ROW EXECUTE FUNCTION note_visit()`);
    // Figures are deleted with their environment: deletions within one being removed are not noted.
    await runner.query(`
      CREATE FUNCTION note_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          INSERT INTO analytics_facts (environment_id, id, kind, at, chain, name, amount)
          SELECT OLD.environment_id, gen_random_uuid(), 'wallet', OLD.created_at, OLD.chain, OLD.name, -1
          WHERE OLD.deleted_at IS NULL
            AND EXISTS (SELECT FROM environments e WHERE e.id = OLD.environment_id AND e.deleted_at IS NULL);
        END IF;
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO analytics_facts (environment_id, id, kind, at, chain, name)
          SELECT NEW.environment_id, gen_random_uuid(), 'wallet', NEW.created_at, NEW.chain, NEW.name WHERE NEW.deleted_at IS NULL;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER wallets_noted AFTER INSERT OR DELETE ON wallets FOR EACH ROW EXECUTE FUNCTION note_wallet()`);
    await runner.query(`
      CREATE TRIGGER wallets_noted_again AFTER UPDATE OF name, chain, deleted_at ON wallets FOR EACH ROW
      WHEN ((OLD.name, OLD.chain, OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.name, NEW.chain, NEW.deleted_at IS NULL))
      EXECUTE FUNCTION note_wallet()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER wallets_noted_again ON wallets');
    await runner.query('DROP TRIGGER wallets_noted ON wallets');
    await runner.query('DROP TRIGGER visits_noted ON visitors');
    await runner.query('DROP TRIGGER sessions_noted ON sessions');
    await runner.query('DROP FUNCTION note_wallet');
    await runner.query('DROP FUNCTION note_visit');
    await runner.query('DROP FUNCTION note_sessions');
    await runner.query('DROP FUNCTION analytics_system');
    await runner.query('DROP FUNCTION analytics_method');
    await runner.query(
      'DROP TABLE analytics_presence, analytics_counts, analytics_people, analytics_progress, analytics_facts',
    );
  }
}

const OF_ENVIRONMENT = (table: string): string =>
  `CONSTRAINT ${table}_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE`;
const OF_PEOPLE = (table: string): string =>
  `CONSTRAINT ${table}_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id) ON DELETE CASCADE,
   CONSTRAINT ${table}_visitor FOREIGN KEY (environment_id, visitor_id) REFERENCES visitors (environment_id, id) ON DELETE CASCADE`;

async function createTables(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE analytics_facts (
      environment_id uuid NOT NULL,
      at timestamptz NOT NULL,
      id uuid NOT NULL,
      kind text NOT NULL,
      user_id uuid,
      visitor_id uuid,
      chain text NOT NULL DEFAULT '',
      name text NOT NULL DEFAULT '',
      system text NOT NULL DEFAULT '',
      amount smallint NOT NULL DEFAULT 1,
      PRIMARY KEY (environment_id, at, id),
      ${OF_ENVIRONMENT('analytics_facts')},
      ${OF_PEOPLE('analytics_facts')},
      CONSTRAINT analytics_facts_kind CHECK (kind IN ('session', 'visit', 'wallet'))
    )`);
  await runner.query(
    'CREATE INDEX analytics_facts_of_user ON analytics_facts (environment_id, user_id) WHERE user_id IS NOT NULL',
  );
  await runner.query(
    'CREATE INDEX analytics_facts_of_visitor ON analytics_facts (environment_id, visitor_id) WHERE visitor_id IS NOT NULL',
  );
  await runner.query(`
    CREATE TABLE analytics_progress (
      environment_id uuid NOT NULL PRIMARY KEY,
      users integer NOT NULL DEFAULT 0,
      visitors integer NOT NULL DEFAULT 0,
      updated_at timestamptz NOT NULL DEFAULT now(),
      ${OF_ENVIRONMENT('analytics_progress')}
    )`);
  await runner.query(`
    CREATE TABLE analytics_people (
      environment_id uuid NOT NULL,
      kind text NOT NULL,
      ordinal integer NOT NULL,
      user_id uuid,
      visitor_id uuid,
      PRIMARY KEY (environment_id, kind, ordinal),
      ${OF_ENVIRONMENT('analytics_people')},
      ${OF_PEOPLE('analytics_people')},
      CONSTRAINT analytics_people_kind CHECK (kind = 'user' AND visitor_id IS NULL OR kind = 'visitor' AND user_id IS NULL)
    )`);
  await runner.query('CREATE UNIQUE INDEX analytics_people_once_user ON analytics_people (environment_id, user_id)');
  await runner.query(
    'CREATE UNIQUE INDEX analytics_people_once_visitor ON analytics_people (environment_id, visitor_id)',
  );
  await runner.query(`
    CREATE TABLE analytics_counts (
      environment_id uuid NOT NULL,
      measure text NOT NULL,
      level smallint NOT NULL,
      slot timestamptz NOT NULL,
      chain text NOT NULL,
      name text NOT NULL,
      count bigint NOT NULL,
      PRIMARY KEY (environment_id, measure, level, slot, chain, name),
      ${OF_ENVIRONMENT('analytics_counts')}
    )`);
  await runner.query(`
    CREATE TABLE analytics_presence (
      environment_id uuid NOT NULL,
      kind text NOT NULL,
      level smallint NOT NULL,
      slot timestamptz NOT NULL,
      chunk integer NOT NULL,
      bits bit(32768) NOT NULL,
      PRIMARY KEY (environment_id, kind, level, slot, chunk),
      ${OF_ENVIRONMENT('analytics_presence')}
    )`);
}
