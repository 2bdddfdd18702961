import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets an operator declare that a user's abandoned ceremonies no longer count against them. */
export class ForgiveGivenUpCeremonies20261128100000 implements MigrationInterface {
  name = 'ForgiveGivenUpCeremonies20261128100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ceremony_rooms ADD COLUMN forgiven_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ceremony_rooms DROP COLUMN forgiven_at');
  }
}
