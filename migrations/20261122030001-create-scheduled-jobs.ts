import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When each job of the deployment is due; survives restarts. */
export class CreateScheduledJobs20261122030001 implements MigrationInterface {
  name = 'CreateScheduledJobs20261122030001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE scheduled_jobs (
        name text NOT NULL PRIMARY KEY,
        due_at timestamptz NOT NULL,
        claim uuid,
        finished_at timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE scheduled_jobs');
  }
}
