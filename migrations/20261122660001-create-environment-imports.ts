import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Progress of environment imports. */
export class CreateEnvironmentImports20261122660001 implements MigrationInterface {
  name = 'CreateEnvironmentImports20261122660001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE environment_imports (
        environment_id uuid NOT NULL,
        digest text NOT NULL,
        done integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz,
        PRIMARY KEY (environment_id),
        CONSTRAINT environment_imports_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE environment_imports');
  }
}
