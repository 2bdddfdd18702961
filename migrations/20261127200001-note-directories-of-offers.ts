import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whoever is held to single sign-on is met by the provider that holds them alone. An instance of the version before notes
 * no directory, which counts as no such proof: what it offers of people who are held is proven again.
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
