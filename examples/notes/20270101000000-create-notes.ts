import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes of an environment. */
export class CreateNotes20270101000000 implements MigrationInterface {
  name = 'CreateNotes20270101000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notes (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT notes_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }
}
