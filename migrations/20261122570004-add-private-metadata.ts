import type { MigrationInterface, QueryRunner } from 'typeorm';

/** User metadata for servers only. Nullable, so no row is rewritten. */
export class AddPrivateMetadata20261122570004 implements MigrationInterface {
  name = 'AddPrivateMetadata20261122570004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN private_metadata jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN private_metadata');
  }
}
