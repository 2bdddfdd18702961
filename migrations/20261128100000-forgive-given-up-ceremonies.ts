import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An operator says that ceremonies which were given up count against their user no more. */
export class ForgiveGivenUpCeremonies20261128100000 implements MigrationInterface {
  name = 'ForgiveGivenUpCeremonies20261128100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ceremony_rooms ADD COLUMN forgiven_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ceremony_rooms DROP COLUMN forgiven_at');
  }
}
