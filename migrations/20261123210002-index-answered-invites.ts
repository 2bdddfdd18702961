import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds invites by the person who answered them, for when that person is deleted. */
export class IndexAnsweredInvites20261123210002 implements MigrationInterface {
  name = 'IndexAnsweredInvites20261123210002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX invites_of_answerer ON invites (answered_by) WHERE answered_by IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX invites_of_answerer');
  }
}
