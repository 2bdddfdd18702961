import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Overlapping secrets after a rotation, key pairs, and custom headers of webhooks. */
export class AddWebhookKeysAndHeaders20261121010101 implements MigrationInterface {
  name = 'AddWebhookKeysAndHeaders20261121010101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks
        ADD COLUMN sealed_previous_secret bytea,
        ADD COLUMN previous_secret_until timestamptz,
        ADD COLUMN sealed_signing_key bytea,
        ADD COLUMN public_key text,
        ADD COLUMN sealed_previous_signing_key bytea,
        ADD COLUMN sealed_headers bytea,
        ADD COLUMN header_names text[] NOT NULL DEFAULT '{}'`);
    await runner.query(
      'CREATE INDEX webhooks_overlapping ON webhooks (previous_secret_until) WHERE previous_secret_until IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks
        DROP COLUMN sealed_previous_secret,
        DROP COLUMN previous_secret_until,
        DROP COLUMN sealed_signing_key,
        DROP COLUMN public_key,
        DROP COLUMN sealed_previous_signing_key,
        DROP COLUMN sealed_headers,
        DROP COLUMN header_names`);
  }
}
