import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last report by clients of an environment about themselves. */
export class CreateClientReports20261121003004 implements MigrationInterface {
  name = 'CreateClientReports20261121003004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE client_reports (
        environment_id uuid NOT NULL PRIMARY KEY,
        report jsonb NOT NULL,
        reported_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT client_reports_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE client_reports');
  }
}
