import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who received the current tokens of a session, and when the ones before the previous were replaced. */
export class RememberReplacedTokens20261122200002 implements MigrationInterface {
  name = 'RememberReplacedTokens20261122200002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions
        ADD COLUMN token_user_agent text,
        ADD COLUMN replaced_tokens jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN token_user_agent, DROP COLUMN replaced_tokens');
  }
}
