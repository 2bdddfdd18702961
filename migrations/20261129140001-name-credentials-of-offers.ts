import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An offer ends when the other user loses the credential that was proven for it. Instances of the previous version name
 * none, which counts as a lost one: their offers have to be asked for again.
 */
export class NameCredentialsOfOffers20261129140001 implements MigrationInterface {
  name = 'NameCredentialsOfOffers20261129140001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_merges ADD COLUMN kind text, ADD COLUMN identifier text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pending_merges DROP COLUMN kind, DROP COLUMN identifier');
  }
}
