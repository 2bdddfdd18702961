import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What gates and allowlists last granted each user, so that it can be revoked when no longer justified. */
export class CreateAccessGrants20261122520002 implements MigrationInterface {
  name = 'CreateAccessGrants20261122520002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE access_grants (
        environment_id uuid NOT NULL,
        user_id uuid NOT NULL,
        scopes text[] NOT NULL,
        revision integer NOT NULL DEFAULT 1,
        confirmed_at timestamptz NOT NULL DEFAULT now(),
        swept_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, user_id),
        CONSTRAINT access_grants_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX access_grants_due ON access_grants (swept_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE access_grants');
  }
}
