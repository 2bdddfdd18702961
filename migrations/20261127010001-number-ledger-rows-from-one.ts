import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of the ledger are numbered from 1: what has a lesser number was put there by somebody else. */
export class NumberLedgerRowsFromOne20261127010001 implements MigrationInterface {
  name = 'NumberLedgerRowsFromOne20261127010001';

  async up(runner: QueryRunner): Promise<void> {
    // New rows alone are checked. One that was put there before is for the verifier to name, which needs an instance that
    // starts, and reading all of a large table would take long.
    await runner.query('ALTER TABLE key_ledger ADD CONSTRAINT key_ledger_sequence CHECK (sequence > 0) NOT VALID');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE key_ledger DROP CONSTRAINT key_ledger_sequence');
  }
}
