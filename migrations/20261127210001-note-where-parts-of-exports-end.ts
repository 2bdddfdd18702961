import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An erasure discards only the parts of a file from the first that may contain the person. Instances of the previous
 * version record neither where parts end nor which visits were deleted: their files are rewritten as a whole.
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
