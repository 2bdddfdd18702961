import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For removing long-expired tokens in order of expiry. */
export class IndexExpiryOfTokens20261128060003 implements MigrationInterface {
  name = 'IndexExpiryOfTokens20261128060003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX api_tokens_expired ON api_tokens (expires_at)');
    await runner.query('CREATE INDEX personal_tokens_expired ON personal_tokens (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX api_tokens_expired, personal_tokens_expired');
  }
}
