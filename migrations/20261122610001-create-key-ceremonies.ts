import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys shared between two sides, and the rooms in which both sides use them. */
export class CreateKeyCeremonies20261122610001 implements MigrationInterface {
  name = 'CreateKeyCeremonies20261122610001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE key_share_sets (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        scheme text NOT NULL,
        generation integer NOT NULL DEFAULT 1,
        public_shares jsonb NOT NULL,
        sealed_shares bytea NOT NULL,
        master_key_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT key_share_sets_scheme CHECK (scheme IN ('TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE')),
        CONSTRAINT key_share_sets_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX key_share_sets_of_user ON key_share_sets (environment_id, user_id)');
    await runner.query(
      'CREATE INDEX key_share_sets_by_master_key ON key_share_sets (master_key_id, environment_id, id)',
    );
    await runner.query(`
      CREATE TABLE ceremony_rooms (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        session_id uuid NOT NULL,
        type text NOT NULL,
        scheme text,
        wallet_id uuid,
        kind text,
        state text NOT NULL,
        round integer NOT NULL DEFAULT 0,
        subject jsonb,
        digest bytea,
        sealed_state bytea,
        master_key_id text,
        failure text,
        ended_at timestamptz,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT ceremony_rooms_type CHECK (type IN ('threshold', 'full')),
        CONSTRAINT ceremony_rooms_kind CHECK (kind IN ('keygen', 'sign')),
        CONSTRAINT ceremony_rooms_state CHECK (state IN ('open', 'running', 'done', 'aborted')),
        CONSTRAINT ceremony_rooms_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX ceremony_rooms_of_user ON ceremony_rooms (environment_id, user_id, expires_at)');
    await runner.query('CREATE INDEX ceremony_rooms_expired ON ceremony_rooms (expires_at)');
    await runner.query(
      'CREATE INDEX ceremony_rooms_by_master_key ON ceremony_rooms (master_key_id, environment_id, id)',
    );
    await runner.query(`
      CREATE TABLE ceremony_messages (
        environment_id uuid NOT NULL,
        room_id uuid NOT NULL,
        sequence integer NOT NULL,
        sender text NOT NULL,
        message jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, room_id, sequence),
        CONSTRAINT ceremony_messages_sender CHECK (sender IN ('client', 'server')),
        CONSTRAINT ceremony_messages_room FOREIGN KEY (environment_id, room_id)
          REFERENCES ceremony_rooms (environment_id, id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ceremony_messages');
    await runner.query('DROP TABLE ceremony_rooms');
    await runner.query('DROP TABLE key_share_sets');
    await runner.query("DELETE FROM wallets WHERE version = 'V3'");
  }
}
