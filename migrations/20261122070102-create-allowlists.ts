import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lists of people. The lookup keys of entries have their own rows; a key is unique within a list and serves both
 * sign-ins and prefix searches. In the C collation, a prefix is an index range.
 */
export class CreateAllowlists20261122070102 implements MigrationInterface {
  name = 'CreateAllowlists20261122070102';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE allowlists (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        name text NOT NULL,
        scope text,
        outcome text NOT NULL,
        enabled_at timestamptz,
        entry_count integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT allowlists_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX allowlists_name ON allowlists (environment_id, name)');
    await runner.query(`
      CREATE TABLE allowlist_entries (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        allowlist_id uuid NOT NULL,
        fields jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT allowlist_entries_allowlist FOREIGN KEY (environment_id, allowlist_id)
          REFERENCES allowlists (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX allowlist_entries_of_list ON allowlist_entries (environment_id, allowlist_id, id)',
    );
    await runner.query(`
      CREATE TABLE allowlist_entry_keys (
        environment_id uuid NOT NULL,
        allowlist_id uuid NOT NULL,
        key text COLLATE "C" NOT NULL,
        entry_id uuid NOT NULL,
        PRIMARY KEY (environment_id, allowlist_id, key),
        CONSTRAINT allowlist_entry_keys_entry FOREIGN KEY (environment_id, entry_id)
          REFERENCES allowlist_entries (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX allowlist_entry_keys_of_entry ON allowlist_entry_keys (environment_id, entry_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE allowlist_entry_keys');
    await runner.query('DROP TABLE allowlist_entries');
    await runner.query('DROP TABLE allowlists');
  }
}
