import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rooms with released shares but no answer are searched every fifteen seconds. They are few among all rooms of the last
 * hours, which the time index alone would scan. Rooms are deleted two hours after they end, so the index is small and
 * quick to create.
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
