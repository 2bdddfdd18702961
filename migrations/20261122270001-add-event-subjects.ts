import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The user that each event is about. For pending events it is determined as before; for older ones, where it only
 * affects the order of a replay, it is the user who caused them.
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
