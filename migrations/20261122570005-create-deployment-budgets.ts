import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Usage of deployment-wide budgets, such as emails per hour, across all instances. */
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
