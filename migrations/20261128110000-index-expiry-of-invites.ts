import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For removing old invites in order of expiry. */
export class IndexExpiryOfInvites20261128110000 implements MigrationInterface {
  name = 'IndexExpiryOfInvites20261128110000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX invites_expired ON invites (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX invites_expired');
  }
}
