import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records of a trail are numbered from 1: what has a lesser number was put there by somebody else. */
export class NumberAuditRecordsFromOne20261127010002 implements MigrationInterface {
  name = 'NumberAuditRecordsFromOne20261127010002';

  async up(runner: QueryRunner): Promise<void> {
    // New records alone are checked. One that was put there before is for the verifier to name, which needs an instance that
    // starts, and reading all of a large table would take long.
    await runner.query(
      'ALTER TABLE audit_records ADD CONSTRAINT audit_records_sequence CHECK (sequence > 0) NOT VALID',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_records DROP CONSTRAINT audit_records_sequence');
  }
}
