import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateReminders20270102000000 implements MigrationInterface {
  name = 'CreateReminders20270102000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE reminders (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        text text NOT NULL,
        send_at timestamptz NOT NULL,
        sent_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT reminders_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX reminders_sent ON reminders (sent_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reminders');
  }
}
