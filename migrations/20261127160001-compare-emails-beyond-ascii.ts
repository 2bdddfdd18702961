import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The form in which two spellings of an address are equal, of addresses that are not of ASCII alone. It is filled in and
 * indexed by migrations of their own: whoever reads a credential waits for the end of this one.
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
