import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys as second factors: devices with a public key instead of a sealed secret. */
export class AddPasskeyFactors20261122510001 implements MigrationInterface {
  name = 'AddPasskeyFactors20261122510001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mfa_devices
        ALTER COLUMN sealed_secret DROP NOT NULL,
        ALTER COLUMN master_key_id DROP NOT NULL,
        DROP CONSTRAINT mfa_devices_type,
        ADD CONSTRAINT mfa_devices_type CHECK (type IN ('totp', 'passkey')),
        ADD CONSTRAINT mfa_devices_secret CHECK (
          (type = 'totp') = (sealed_secret IS NOT NULL) AND (type = 'totp') = (master_key_id IS NOT NULL))`);
    await runner.query(`
      CREATE TABLE mfa_passkeys (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        credential_id text NOT NULL,
        public_key bytea NOT NULL,
        user_handle bytea NOT NULL,
        rp_id text NOT NULL,
        sign_count bigint NOT NULL,
        backup_eligible boolean NOT NULL,
        origin text NOT NULL,
        user_agent text,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT mfa_passkeys_device FOREIGN KEY (environment_id, id) REFERENCES mfa_devices (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX mfa_passkeys_credential_id ON mfa_passkeys (environment_id, credential_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mfa_passkeys');
    await runner.query("DELETE FROM mfa_devices WHERE type <> 'totp'");
    await runner.query(`
      ALTER TABLE mfa_devices
        DROP CONSTRAINT mfa_devices_secret,
        DROP CONSTRAINT mfa_devices_type,
        ADD CONSTRAINT mfa_devices_type CHECK (type = 'totp'),
        ALTER COLUMN sealed_secret SET NOT NULL,
        ALTER COLUMN master_key_id SET NOT NULL`);
  }
}
