import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Responses to calls with an `Idempotency-Key`. The id is a hash of caller, operation and key; the body is sealed. */
export class CreateIdempotencyKeys20261121040101 implements MigrationInterface {
  name = 'CreateIdempotencyKeys20261121040101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        request_hash bytea NOT NULL,
        status smallint NOT NULL,
        sealed_body bytea NOT NULL,
        master_key_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, id),
        CONSTRAINT idempotency_keys_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    // For removing expired rows in batches.
    await runner.query('CREATE INDEX idempotency_keys_expired ON idempotency_keys (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
