import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rules on the holdings of users' wallets. */
export class CreateGates20261122070101 implements MigrationInterface {
  name = 'CreateGates20261122070101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gates (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        name text NOT NULL,
        outcome text NOT NULL,
        scope text,
        rules jsonb NOT NULL,
        enabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT gates_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX gates_name ON gates (environment_id, name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE gates');
  }
}
