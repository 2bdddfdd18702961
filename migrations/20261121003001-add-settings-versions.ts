import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version of an environment's settings, and what each change replaced. */
export class AddSettingsVersions20261121003001 implements MigrationInterface {
  name = 'AddSettingsVersions20261121003001';

  async up(runner: QueryRunner): Promise<void> {
    // A constant default is stored in the catalogue: no row is rewritten.
    await runner.query('ALTER TABLE environment_settings ADD COLUMN version integer NOT NULL DEFAULT 1');
    await runner.query(`
      CREATE TABLE environment_settings_versions (
        environment_id uuid NOT NULL,
        version integer NOT NULL,
        replaced jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, version),
        CONSTRAINT environment_settings_versions_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE environment_settings_versions');
    await runner.query('ALTER TABLE environment_settings DROP COLUMN version');
  }
}
