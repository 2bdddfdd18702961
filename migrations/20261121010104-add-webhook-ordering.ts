import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages waiting for an earlier one about the same user, for webhooks with ordering enabled. */
export class AddWebhookOrdering20261121010104 implements MigrationInterface {
  name = 'AddWebhookOrdering20261121010104';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks ADD COLUMN ordering text NOT NULL DEFAULT 'none',
        ADD CONSTRAINT webhooks_ordering CHECK (ordering IN ('none', 'user'))`);
    await runner.query('ALTER TABLE webhook_messages ADD COLUMN ordered_by uuid');
    // Empty when created, and no cost for unordered messages.
    await runner.query(`
      CREATE INDEX webhook_messages_ordered ON webhook_messages (webhook_id, ordered_by, event_id)
        WHERE ordered_by IS NOT NULL AND next_attempt_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_messages_ordered');
    await runner.query('ALTER TABLE webhook_messages DROP COLUMN ordered_by');
    await runner.query('ALTER TABLE webhooks DROP COLUMN ordering');
  }
}
