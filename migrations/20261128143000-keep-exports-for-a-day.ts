import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The clock of the database decides how long an export is kept, whichever instance it was requested from. */
export class KeepExportsForADay20261128143000 implements MigrationInterface {
  name = 'KeepExportsForADay20261128143000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE exports ALTER expires_at SET DEFAULT now() + interval '24 hours'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE exports ALTER expires_at DROP DEFAULT');
  }
}
