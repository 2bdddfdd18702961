import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Confirmed devices of users, and sessions of devices awaiting confirmation. */
export class CreateDevices20261122510002 implements MigrationInterface {
  name = 'CreateDevices20261122510002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE device_registrations (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        device_hash bytea NOT NULL,
        user_agent text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT device_registrations_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX device_registrations_once ON device_registrations (environment_id, user_id, device_hash)',
    );
    await runner.query(`
      CREATE TABLE device_confirmations (
        environment_id uuid NOT NULL,
        session_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, session_id),
        CONSTRAINT device_confirmations_session FOREIGN KEY (environment_id, session_id)
          REFERENCES sessions (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX device_confirmations_expired ON device_confirmations (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_confirmations');
    await runner.query('DROP TABLE device_registrations');
  }
}
