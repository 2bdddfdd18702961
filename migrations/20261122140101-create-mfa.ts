import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Second factors of users: devices with sealed secrets, hashed recovery codes, and tokens for completed factors. */
export class CreateMfa20261122140101 implements MigrationInterface {
  name = 'CreateMfa20261122140101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mfa_devices (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        type text NOT NULL,
        sealed_secret bytea NOT NULL,
        master_key_id text NOT NULL,
        last_step bigint NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        failures_in_row integer NOT NULL DEFAULT 0,
        blocked_until timestamptz,
        verified_at timestamptz,
        is_default boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT mfa_devices_type CHECK (type = 'totp'),
        CONSTRAINT mfa_devices_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX mfa_devices_of_user ON mfa_devices (environment_id, user_id, created_at)');
    await runner.query(
      'CREATE UNIQUE INDEX mfa_devices_pending ON mfa_devices (environment_id, user_id) WHERE verified_at IS NULL',
    );
    await runner.query('CREATE INDEX mfa_devices_master_key ON mfa_devices (master_key_id)');
    await runner.query(`
      CREATE TABLE mfa_recovery_codes (
        environment_id uuid NOT NULL,
        user_id uuid NOT NULL,
        code_hashes bytea[] NOT NULL,
        failures integer NOT NULL DEFAULT 0,
        failures_in_row integer NOT NULL DEFAULT 0,
        blocked_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, user_id),
        CONSTRAINT mfa_recovery_codes_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE mfa_tokens (
        environment_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        user_id uuid NOT NULL,
        session_id uuid NOT NULL,
        single_use boolean NOT NULL,
        action text,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, token_hash),
        CONSTRAINT mfa_tokens_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX mfa_tokens_of_user ON mfa_tokens (environment_id, user_id)');
    await runner.query('CREATE INDEX mfa_tokens_expired ON mfa_tokens (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE mfa_tokens');
    await runner.query('DROP TABLE mfa_recovery_codes');
    await runner.query('DROP TABLE mfa_devices');
  }
}
