import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An erasure takes back the parts of a file from the one on that may have the person, and no others. What an instance of
 * the version before writes says neither where its parts end nor which visits went: such a file is made anew as a whole.
 */
export class NoteWherePartsOfExportsEnd20261127210001 implements MigrationInterface {
  name = 'NoteWherePartsOfExportsEnd20261127210001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE exports ADD COLUMN ends uuid[] NOT NULL DEFAULT '{}', ADD COLUMN dropped text[] NOT NULL DEFAULT '{}'`,
    );
    await runner.query('ALTER TABLE erasures ADD COLUMN first_visitor_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE erasures DROP COLUMN first_visitor_id');
    await runner.query('ALTER TABLE exports DROP COLUMN ends, DROP COLUMN dropped');
  }
}
