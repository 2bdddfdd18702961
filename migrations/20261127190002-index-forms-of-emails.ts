import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Covers few addresses: ASCII ones have no such form. Does not block readers. */
export class IndexFormsOfEmails20261127190002 implements MigrationInterface {
  name = 'IndexFormsOfEmails20261127190002';

  async up(runner: QueryRunner): Promise<void> {
    // Already present where it was created along with the column.
    await runner.query(
      'CREATE INDEX IF NOT EXISTS credentials_email_key ON credentials (environment_id, email_key) WHERE email_key IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX credentials_email_key');
  }
}
