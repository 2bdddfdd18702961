import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of few addresses: those of ASCII alone have none. Others may read meanwhile. */
export class IndexFormsOfEmails20261127190002 implements MigrationInterface {
  name = 'IndexFormsOfEmails20261127190002';

  async up(runner: QueryRunner): Promise<void> {
    // It is there where the column came with it.
    await runner.query(
      'CREATE INDEX IF NOT EXISTS credentials_email_key ON credentials (environment_id, email_key) WHERE email_key IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX credentials_email_key');
  }
}
