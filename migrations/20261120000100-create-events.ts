import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox of events, written with each change; and the deployment's sealed secrets. */
export class CreateEvents20261120000100 implements MigrationInterface {
  name = 'CreateEvents20261120000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        name text NOT NULL,
        resource_id uuid,
        user_id uuid,
        external_user_id text,
        data jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        dispatched_at timestamptz,
        PRIMARY KEY (environment_id, id)
      )`);
    await runner.query('CREATE INDEX events_undispatched ON events (id) WHERE dispatched_at IS NULL');
    await runner.query(`
      CREATE TABLE service_secrets (
        name text NOT NULL PRIMARY KEY,
        sealed bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE service_secrets, events');
  }
}
