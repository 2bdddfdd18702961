import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Environments with wallet screening, its results, and the deployment's sanctions list. */
export class CreateScreening20261122520001 implements MigrationInterface {
  name = 'CreateScreening20261122520001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE screening_integrations (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        sanctions_api_enabled boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT screening_integrations_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX screening_integrations_one ON screening_integrations (environment_id)');
    await runner.query(`
      CREATE TABLE screening_checks (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        address text NOT NULL,
        result text NOT NULL,
        response text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT screening_checks_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX screening_checks_address ON screening_checks (environment_id, user_id, address)',
    );
    await runner.query(`
      CREATE TABLE sanctions_lists (
        id uuid PRIMARY KEY,
        digest text NOT NULL,
        published_on text,
        addresses jsonb NOT NULL,
        imported_at timestamptz NOT NULL DEFAULT clock_timestamp()
      )`);
    await runner.query('CREATE INDEX sanctions_lists_newest ON sanctions_lists (imported_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sanctions_lists');
    await runner.query('DROP TABLE screening_checks');
    await runner.query('DROP TABLE screening_integrations');
  }
}
