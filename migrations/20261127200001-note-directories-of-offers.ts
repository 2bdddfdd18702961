import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A user under enforced single sign-on can only be proven by the enforcing provider. Instances of the previous version
 * store no directory, which counts as no such proof: for their offers, these users must prove themselves again.
 */
export class NoteDirectoriesOfOffers20261127200001 implements MigrationInterface {
  name = 'NoteDirectoriesOfOffers20261127200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_merges ADD COLUMN directory uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_merges DROP COLUMN directory');
  }
}
