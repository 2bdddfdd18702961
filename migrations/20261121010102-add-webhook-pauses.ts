import type { MigrationInterface, QueryRunner } from 'typeorm';

/** All workers pause a webhook whose receiver hangs. */
export class AddWebhookPauses20261121010102 implements MigrationInterface {
  name = 'AddWebhookPauses20261121010102';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks ADD COLUMN timeouts integer NOT NULL DEFAULT 0, ADD COLUMN paused_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN timeouts, DROP COLUMN paused_until');
  }
}
