import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Revocation also covers tokens that were exchanged earlier, which may outlive the newest one. */
export class CutReplacedTokens20261128050000 implements MigrationInterface {
  name = 'CutReplacedTokens20261128050000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions ADD COLUMN cut_tokens uuid[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN cut_tokens');
  }
}
