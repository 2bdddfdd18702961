import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Public keys of passkeys. A passkey belongs to the user of its credential. */
export class CreatePasskeys20261122135001 implements MigrationInterface {
  name = 'CreatePasskeys20261122135001';

  async up(runner: QueryRunner): Promise<void> {
    // Deferred: a passkey is written before its credential, so that the loser of a race has changed nothing.
    await runner.query(`
      CREATE TABLE passkeys (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        credential_id text NOT NULL,
        public_key bytea NOT NULL,
        user_handle bytea NOT NULL,
        rp_id text NOT NULL,
        sign_count bigint NOT NULL,
        backup_eligible boolean NOT NULL,
        backed_up boolean NOT NULL,
        transports text[] NOT NULL,
        aaguid uuid NOT NULL,
        origin text NOT NULL,
        user_agent text,
        alias text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        PRIMARY KEY (environment_id, id),
        CONSTRAINT passkeys_credential FOREIGN KEY (environment_id, id) REFERENCES credentials (environment_id, id)
          ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
      )`);
    await runner.query('CREATE UNIQUE INDEX passkeys_credential_id ON passkeys (environment_id, credential_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE passkeys');
  }
}
