import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What all instances of a deployment together have used up of a budget, such as emails in an hour. */
export class CreateDeploymentBudgets20261122570005 implements MigrationInterface {
  name = 'CreateDeploymentBudgets20261122570005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deployment_budgets (
        name text NOT NULL PRIMARY KEY,
        started_at timestamptz NOT NULL,
        taken integer NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deployment_budgets');
  }
}
