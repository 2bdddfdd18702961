import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ledger rows are numbered from 1: a lower number means tampering. */
export class NumberLedgerRowsFromOne20261127010001 implements MigrationInterface {
  name = 'NumberLedgerRowsFromOne20261127010001';

  async up(runner: QueryRunner): Promise<void> {
    // Checks new rows only. Existing ones are left to the verifier, which needs an instance that starts, and reading a
    // large table would take long.
    await runner.query('ALTER TABLE key_ledger ADD CONSTRAINT key_ledger_sequence CHECK (sequence > 0) NOT VALID');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE key_ledger DROP CONSTRAINT key_ledger_sequence');
  }
}
