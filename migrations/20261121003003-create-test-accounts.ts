import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An environment's account that signs in with a fixed code; the code is one of the environment's secrets. */
export class CreateTestAccounts20261121003003 implements MigrationInterface {
  name = 'CreateTestAccounts20261121003003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE test_accounts (
        environment_id uuid NOT NULL PRIMARY KEY,
        email text NOT NULL,
        phone text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT test_accounts_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE test_accounts');
  }
}
