import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links that sign one person in once. Only the hash of a link's secret is stored. */
export class CreateOneTimeLinks20270101000100 implements MigrationInterface {
  name = 'CreateOneTimeLinks20270101000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE one_time_links (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        secret_hash bytea NOT NULL,
        person text NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT one_time_links_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX one_time_links_secret ON one_time_links (environment_id, secret_hash)');
    await runner.query('CREATE INDEX one_time_links_expired ON one_time_links (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE one_time_links');
  }
}
