import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pending passkey challenges, by hash. */
export class CreatePasskeyChallenges20261122135002 implements MigrationInterface {
  name = 'CreatePasskeyChallenges20261122135002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passkey_challenges (
        environment_id uuid NOT NULL,
        challenge_hash bytea NOT NULL,
        purpose text NOT NULL,
        user_id uuid,
        rp_id text NOT NULL,
        user_handle bytea,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, challenge_hash),
        CONSTRAINT passkey_challenges_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE,
        CONSTRAINT passkey_challenges_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX passkey_challenges_expired ON passkey_challenges (expires_at)');
    await runner.query(
      'CREATE INDEX passkey_challenges_of_user ON passkey_challenges (environment_id, user_id) WHERE user_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE passkey_challenges');
  }
}
