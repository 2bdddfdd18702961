import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Custom user fields of environments, and the owners of values in unique fields. */
export class CreateCustomFields20261121005002 implements MigrationInterface {
  name = 'CreateCustomFields20261121005002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE custom_fields (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        key text NOT NULL,
        name text NOT NULL,
        enabled boolean NOT NULL,
        required boolean NOT NULL,
        field_type text NOT NULL,
        is_unique boolean NOT NULL,
        validation_rules jsonb,
        position integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT custom_fields_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX custom_fields_key ON custom_fields (environment_id, key)');
    await runner.query('CREATE UNIQUE INDEX custom_fields_name ON custom_fields (environment_id, name)');
    await runner.query(`
      CREATE TABLE custom_field_values (
        environment_id uuid NOT NULL,
        field_id uuid NOT NULL,
        user_id uuid NOT NULL,
        value_hash bytea NOT NULL,
        is_unique boolean NOT NULL,
        PRIMARY KEY (environment_id, field_id, user_id),
        CONSTRAINT custom_field_values_field FOREIGN KEY (environment_id, field_id)
          REFERENCES custom_fields (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT custom_field_values_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX custom_field_values_unique ON custom_field_values (environment_id, field_id, value_hash)
      WHERE is_unique`);
    await runner.query('CREATE INDEX custom_field_values_of_user ON custom_field_values (environment_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE custom_field_values, custom_fields');
  }
}
