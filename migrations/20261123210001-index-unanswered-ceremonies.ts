import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rooms whose shares were released and that nobody answered are looked for every fifteen seconds. They are few among all
 * rooms of the last hours, which the index on the time alone leads to. Rooms are gone two hours after
 * they are over, so it is made at once.
 */
export class IndexUnansweredCeremonies20261123210001 implements MigrationInterface {
  name = 'IndexUnansweredCeremonies20261123210001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ceremony_rooms_unanswered ON ceremony_rooms (expires_at)
       WHERE state = 'running' AND subject @> '{"released": true}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ceremony_rooms_unanswered');
  }
}
