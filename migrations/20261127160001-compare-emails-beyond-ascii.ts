import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The canonical form of non-ASCII email addresses, for comparison. Separate migrations fill and index it, as this one
 * blocks readers of credentials until it ends.
 */
export class CompareEmailsBeyondAscii20261127160001 implements MigrationInterface {
  name = 'CompareEmailsBeyondAscii20261127160001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials ADD COLUMN email_key text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials DROP COLUMN email_key');
  }
}
