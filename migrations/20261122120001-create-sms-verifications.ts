import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time codes by text message, and the number an environment has sent per day. */
export class CreateSmsVerifications20261122120001 implements MigrationInterface {
  name = 'CreateSmsVerifications20261122120001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sms_verifications (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        phone_number text NOT NULL,
        destination_hash bytea NOT NULL,
        code_hmac bytea NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT sms_verifications_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX sms_verifications_expired ON sms_verifications (expires_at)');
    await runner.query(`
      CREATE TABLE sms_budgets (
        environment_id uuid PRIMARY KEY,
        day_started_at timestamptz NOT NULL,
        sent_in_day integer NOT NULL,
        CONSTRAINT sms_budgets_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sms_verifications, sms_budgets');
  }
}
