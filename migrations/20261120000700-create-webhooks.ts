import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks, one message for each matching event, one delivery for each attempt. */
export class CreateWebhooks20261120000700 implements MigrationInterface {
  name = 'CreateWebhooks20261120000700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhooks (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        url text NOT NULL,
        events text[] NOT NULL,
        is_enabled boolean NOT NULL,
        enabled_at timestamptz,
        version text NOT NULL,
        sealed_secret bytea NOT NULL,
        master_key_id text NOT NULL,
        failing_since timestamptz,
        failed_attempts integer NOT NULL DEFAULT 0,
        deleted_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT webhooks_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX webhooks_deleted ON webhooks (id) WHERE deleted_at IS NOT NULL');
    await runner.query(`
      CREATE TABLE webhook_messages (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        event_id uuid NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        attempts integer NOT NULL DEFAULT 0,
        redelivered_at timestamptz,
        next_attempt_at timestamptz,
        lease_token uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT webhook_messages_webhook FOREIGN KEY (environment_id, webhook_id)
          REFERENCES webhooks (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT webhook_messages_status CHECK (status IN ('pending', 'sending', 'delivered', 'failed'))
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX webhook_messages_once ON webhook_messages (environment_id, event_id, webhook_id)',
    );
    await runner.query('CREATE INDEX webhook_messages_of_webhook ON webhook_messages (environment_id, webhook_id, id)');
    await runner.query(
      'CREATE INDEX webhook_messages_due ON webhook_messages (webhook_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        message_id uuid NOT NULL,
        attempt integer NOT NULL,
        status text NOT NULL,
        request json NOT NULL,
        response json NOT NULL,
        delivered_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT webhook_deliveries_message FOREIGN KEY (environment_id, message_id)
          REFERENCES webhook_messages (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (environment_id, message_id, attempt)',
    );
    await runner.query('CREATE INDEX events_of_name ON events (environment_id, name, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events_of_name');
    await runner.query('DROP TABLE webhook_deliveries, webhook_messages, webhooks');
  }
}
