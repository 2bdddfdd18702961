import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For removing old rows in order of age. */
export class IndexAgeOfCodeDestinations20261122570003 implements MigrationInterface {
  name = 'IndexAgeOfCodeDestinations20261122570003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX code_destinations_sent ON code_destinations (last_sent_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX code_destinations_sent');
  }
}
