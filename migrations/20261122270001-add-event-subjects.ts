import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each event says which user it is about. Those that wait to be sent are told apart as before; of older ones only the
 * order of a replay depends on it, and they keep the one who caused them.
 */
export class AddEventSubjects20261122270001 implements MigrationInterface {
  name = 'AddEventSubjects20261122270001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events ADD COLUMN subject_user_id uuid');
    await runner.query(`
      UPDATE events SET subject_user_id = CASE
        WHEN name IN ('user.created', 'user.updated', 'user.deleted') THEN resource_id
        WHEN data->>'userId' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN (data->>'userId')::uuid
        ELSE user_id END
      WHERE dispatched_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN subject_user_id');
  }
}
