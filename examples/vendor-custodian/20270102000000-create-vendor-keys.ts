import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The owner of each set of keys at a vendor. One live row per user and version. */
export class CreateVendorKeys20270102000000 implements MigrationInterface {
  name = 'CreateVendorKeys20270102000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE vendor_keys (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        version text NOT NULL,
        destroy_after timestamptz,
        exported_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT vendor_keys_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX vendor_keys_one_per_user ON vendor_keys (environment_id, user_id, version)
       WHERE destroy_after IS NULL`,
    );
    await runner.query('CREATE INDEX vendor_keys_due ON vendor_keys (destroy_after) WHERE destroy_after IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE vendor_keys');
  }
}
