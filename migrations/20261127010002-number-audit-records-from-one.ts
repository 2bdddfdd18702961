import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Audit records are numbered from 1: a lower number means tampering. */
export class NumberAuditRecordsFromOne20261127010002 implements MigrationInterface {
  name = 'NumberAuditRecordsFromOne20261127010002';

  async up(runner: QueryRunner): Promise<void> {
    // Checks new records only. Existing ones are left to the verifier, which needs an instance that starts, and reading
    // a large table would take long.
    await runner.query(
      'ALTER TABLE audit_records ADD CONSTRAINT audit_records_sequence CHECK (sequence > 0) NOT VALID',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_records DROP CONSTRAINT audit_records_sequence');
  }
}
