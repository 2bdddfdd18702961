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
        user_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT notes_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE,
        CONSTRAINT notes_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX notes_text ON notes (environment_id, text)');
    await runner.query('CREATE INDEX notes_of_user ON notes (environment_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
  }
}
