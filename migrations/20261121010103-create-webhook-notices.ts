import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pending emails about disabled webhooks, one per owner. */
export class CreateWebhookNotices20261121010103 implements MigrationInterface {
  name = 'CreateWebhookNotices20261121010103';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_notices (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        user_id uuid NOT NULL,
        url text NOT NULL,
        reason text NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT webhook_notices_environment FOREIGN KEY (environment_id)
          REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX webhook_notices_due ON webhook_notices (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_notices');
  }
}
