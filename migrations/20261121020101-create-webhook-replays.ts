import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Jobs that resend many messages of a webhook, with their progress. */
export class CreateWebhookReplays20261121020101 implements MigrationInterface {
  name = 'CreateWebhookReplays20261121020101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_replays (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        selection text NOT NULL,
        since timestamptz NOT NULL,
        until timestamptz NOT NULL,
        asked_until timestamptz,
        state text NOT NULL DEFAULT 'counting',
        from_id uuid NOT NULL,
        end_id uuid NOT NULL,
        position uuid NOT NULL,
        total integer NOT NULL DEFAULT 0,
        done integer NOT NULL DEFAULT 0,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT webhook_replays_webhook FOREIGN KEY (environment_id, webhook_id)
          REFERENCES webhooks (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT webhook_replays_selection CHECK (selection IN ('all', 'failed', 'missing')),
        CONSTRAINT webhook_replays_state CHECK (state IN ('counting', 'running', 'completed', 'canceled', 'failed'))
      )`);
    // One at a time per webhook: decides between concurrent requests.
    await runner.query(`
      CREATE UNIQUE INDEX webhook_replays_under_way ON webhook_replays (environment_id, webhook_id)
      WHERE state IN ('counting', 'running')`);
    await runner.query('CREATE INDEX webhook_replays_of_webhook ON webhook_replays (environment_id, webhook_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_replays');
  }
}
