import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Public keys that shares are sealed to. */
export class CreateDelegationKeys20261122560002 implements MigrationInterface {
  name = 'CreateDelegationKeys20261122560002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE delegation_keys (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        kid text NOT NULL,
        alg text NOT NULL,
        type text NOT NULL,
        public_key text NOT NULL,
        active_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT delegation_keys_alg CHECK (alg IN ('RSA-OAEP-256', 'HYBRID-RSA-AES-256')),
        CONSTRAINT delegation_keys_type CHECK (type IN ('platform', 'external')),
        CONSTRAINT delegation_keys_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX delegation_keys_once ON delegation_keys (environment_id, kid)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE delegation_keys');
  }
}
