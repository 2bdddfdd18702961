import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A merge goes by what proved the other account. An instance of the version before notes nothing, which counts as a proof
 * that neither came from a provider nor from a mailbox.
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
