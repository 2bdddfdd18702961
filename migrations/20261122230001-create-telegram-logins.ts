import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logins signed by Telegram, until they are too old to be replayed. */
export class CreateTelegramLogins20261122230001 implements MigrationInterface {
  name = 'CreateTelegramLogins20261122230001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE telegram_logins (
        environment_id uuid NOT NULL,
        login_hash bytea NOT NULL,
        browser_hash bytea,
        state_hash bytea,
        account jsonb,
        signed_at timestamptz NOT NULL,
        used_at timestamptz,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, login_hash),
        CONSTRAINT telegram_logins_kept CHECK ((browser_hash IS NULL) = (state_hash IS NULL)),
        CONSTRAINT telegram_logins_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX telegram_logins_state ON telegram_logins (environment_id, browser_hash, state_hash)',
    );
    await runner.query('CREATE INDEX telegram_logins_expired ON telegram_logins (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE telegram_logins');
  }
}
