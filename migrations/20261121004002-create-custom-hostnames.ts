import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Custom host names of environments, and their DNS check results. */
export class CreateCustomHostnames20261121004002 implements MigrationInterface {
  name = 'CreateCustomHostnames20261121004002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE custom_hostnames (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        hostname text NOT NULL,
        usage text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        status_since timestamptz NOT NULL DEFAULT now(),
        errors text,
        challenge text NOT NULL,
        checked_at timestamptz,
        next_check_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT custom_hostnames_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE,
        CONSTRAINT custom_hostnames_status CHECK (status IN ('pending', 'active', 'error'))
      )`);
    await runner.query('CREATE UNIQUE INDEX custom_hostnames_once ON custom_hostnames (environment_id, hostname)');
    // Across tenants: a name belongs to one environment. Anybody may claim it; the first to verify it gets it.
    await runner.query(
      "CREATE UNIQUE INDEX custom_hostnames_active_once ON custom_hostnames (hostname) WHERE status = 'active'",
    );
    await runner.query('CREATE INDEX custom_hostnames_due ON custom_hostnames (next_check_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE custom_hostnames');
  }
}
