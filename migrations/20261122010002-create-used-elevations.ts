import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Single-use elevated tokens that have been used. */
export class CreateUsedElevations20261122010002 implements MigrationInterface {
  name = 'CreateUsedElevations20261122010002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE used_elevations (
        environment_id uuid NOT NULL,
        token_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, token_id),
        CONSTRAINT used_elevations_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX used_elevations_expired ON used_elevations (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE used_elevations');
  }
}
