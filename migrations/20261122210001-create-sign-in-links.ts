import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Single-use links by which an operator lets a member sign in. Only the hash of a link's secret is stored. */
export class CreateSignInLinks20261122210001 implements MigrationInterface {
  name = 'CreateSignInLinks20261122210001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sign_in_links (
        environment_id uuid NOT NULL,
        secret_hash bytea NOT NULL,
        user_id uuid NOT NULL,
        email text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, secret_hash),
        CONSTRAINT sign_in_links_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE,
        CONSTRAINT sign_in_links_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX sign_in_links_expired ON sign_in_links (expires_at)');
    // One per person: a new link invalidates the previous one.
    await runner.query('CREATE UNIQUE INDEX sign_in_links_of_user ON sign_in_links (environment_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_links');
  }
}
