import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys whose shares were dealt by the service, until their users have reshared them. */
export class DealKeyShares20261123180001 implements MigrationInterface {
  name = 'DealKeyShares20261123180001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE key_share_sets ADD COLUMN dealt boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE key_share_sets DROP COLUMN dealt');
  }
}
