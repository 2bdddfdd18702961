import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A merge depends on what proved the other account. Instances of the previous version store nothing, which counts as a
 * proof by neither a provider nor a mailbox.
 */
export class NoteProofsOfOffers20261124010001 implements MigrationInterface {
  name = 'NoteProofsOfOffers20261124010001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE pending_merges ADD COLUMN amr text[] NOT NULL DEFAULT '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_merges DROP COLUMN amr');
  }
}
