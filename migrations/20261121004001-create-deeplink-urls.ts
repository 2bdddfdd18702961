import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Application URLs that sign-in may redirect to. */
export class CreateDeeplinkUrls20261121004001 implements MigrationInterface {
  name = 'CreateDeeplinkUrls20261121004001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deeplink_urls (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        url text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT deeplink_urls_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX deeplink_urls_once ON deeplink_urls (environment_id, url)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE deeplink_urls');
  }
}
