import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Installations of one provider, such as companies' directories, may use the same account id for different people. */
export class AddOauthConnections20261122010001 implements MigrationInterface {
  name = 'AddOauthConnections20261122010001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials ADD COLUMN oauth_connection_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials DROP COLUMN oauth_connection_id');
  }
}
