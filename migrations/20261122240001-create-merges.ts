import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Merges of users: those offered to a session, and completed ones with the data to undo them. */
export class CreateMerges20261122240001 implements MigrationInterface {
  name = 'CreateMerges20261122240001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pending_merges (
        environment_id uuid NOT NULL,
        session_id uuid NOT NULL,
        user_id uuid NOT NULL,
        other_user_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, session_id),
        CONSTRAINT pending_merges_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT pending_merges_other FOREIGN KEY (environment_id, other_user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX pending_merges_of_user ON pending_merges (environment_id, user_id)');
    await runner.query('CREATE INDEX pending_merges_of_other ON pending_merges (environment_id, other_user_id)');
    await runner.query('CREATE INDEX pending_merges_expired ON pending_merges (expires_at)');
    // from_user_id is not a foreign key: that user has been deleted, and is restored if the merge is undone.
    await runner.query(`
      CREATE TABLE user_merges (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        from_user_id uuid NOT NULL,
        from_user jsonb NOT NULL,
        user_before jsonb NOT NULL,
        credential_ids uuid[] NOT NULL,
        claims jsonb NOT NULL,
        moved jsonb NOT NULL,
        undone_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT user_merges_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX user_merges_of_user ON user_merges (environment_id, user_id)');
    await runner.query('CREATE INDEX user_merges_old ON user_merges (created_at)');
    await runner.query('ALTER TABLE credentials ADD COLUMN previous_users uuid[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials DROP COLUMN previous_users');
    await runner.query('DROP TABLE user_merges');
    await runner.query('DROP TABLE pending_merges');
  }
}
