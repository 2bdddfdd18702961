import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requested files of users or visits: the progress of each, and its single-use download URLs. */
export class CreateExports20261122600001 implements MigrationInterface {
  name = 'CreateExports20261122600001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE exports (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        format text NOT NULL,
        model text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        position uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        parts text[] NOT NULL DEFAULT '{}',
        rows integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        due_at timestamptz NOT NULL DEFAULT now(),
        error text,
        created_at timestamptz NOT NULL DEFAULT now(),
        started_at timestamptz,
        completed_at timestamptz,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, id),
        CONSTRAINT exports_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE,
        CONSTRAINT exports_format CHECK (format = 'csv'),
        CONSTRAINT exports_model CHECK (model IN ('users', 'visits')),
        CONSTRAINT exports_status CHECK (status IN ('pending', 'completed', 'failed'))
      )`);
    await runner.query("CREATE INDEX exports_under_way ON exports (due_at) WHERE status = 'pending'");
    await runner.query('CREATE INDEX exports_old ON exports (expires_at)');
    await runner.query(`
      CREATE TABLE export_downloads (
        environment_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        export_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, token_hash),
        CONSTRAINT export_downloads_export FOREIGN KEY (environment_id, export_id)
          REFERENCES exports (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX export_downloads_of_export ON export_downloads (environment_id, export_id)');
    await runner.query('CREATE INDEX export_downloads_old ON export_downloads (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE export_downloads, exports');
  }
}
