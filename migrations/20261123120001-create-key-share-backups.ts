import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the user's key shares are backed up outside the device, and how often the backups were requested. */
export class CreateKeyShareBackups20261123120001 implements MigrationInterface {
  name = 'CreateKeyShareBackups20261123120001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE key_share_backups (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        wallet_id uuid NOT NULL,
        keys_id uuid NOT NULL,
        generation integer NOT NULL,
        location text NOT NULL,
        password_encrypted boolean NOT NULL,
        external_key_share_id uuid,
        keygen_id text,
        sealed_credential bytea,
        master_key_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT key_share_backups_location CHECK (location IN ('platform', 'googleDrive', 'icloud', 'external')),
        CONSTRAINT key_share_backups_kept
          CHECK ((location = 'platform') = (sealed_credential IS NOT NULL)
            AND (sealed_credential IS NULL) = (master_key_id IS NULL)),
        CONSTRAINT key_share_backups_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE,
        CONSTRAINT key_share_backups_wallet FOREIGN KEY (environment_id, wallet_id)
          REFERENCES wallets (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX key_share_backups_of_wallet ON key_share_backups (environment_id, wallet_id)');
    await runner.query('CREATE INDEX key_share_backups_of_user ON key_share_backups (environment_id, user_id)');
    await runner.query(
      'CREATE INDEX key_share_backups_by_master_key ON key_share_backups (master_key_id, environment_id, id)',
    );
    await runner.query(`
      CREATE TABLE key_share_recoveries (
        environment_id uuid NOT NULL,
        wallet_id uuid NOT NULL,
        tries integer NOT NULL,
        first_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, wallet_id),
        CONSTRAINT key_share_recoveries_wallet FOREIGN KEY (environment_id, wallet_id)
          REFERENCES wallets (environment_id, id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_share_recoveries');
    await runner.query('DROP TABLE key_share_backups');
  }
}
