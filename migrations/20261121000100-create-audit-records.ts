import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who changed what in an organization: a chain of records that only grows, and the head of each chain. */
export class CreateAuditRecords20261121000100 implements MigrationInterface {
  name = 'CreateAuditRecords20261121000100';

  async up(runner: QueryRunner): Promise<void> {
    // NO ACTION: the trail outlives what it tells of, so an organization that has one is not deleted under it.
    await runner.query(`
      CREATE TABLE audit_heads (
        organization_id uuid NOT NULL PRIMARY KEY,
        sequence bigint NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT audit_heads_organization FOREIGN KEY (organization_id) REFERENCES organizations (id)
      )`);
    // Records refer to the head, whose row their writer holds already, and not to the organization: no lock is taken
    // after that of the head. The environment of a record may be gone, so nothing refers to it.
    await runner.query(`
      CREATE TABLE audit_records (
        organization_id uuid NOT NULL,
        sequence bigint NOT NULL,
        id uuid NOT NULL,
        occurred_at timestamptz NOT NULL,
        actor jsonb NOT NULL,
        action text NOT NULL,
        resource_type text NOT NULL,
        resource_id text NOT NULL,
        environment_id uuid,
        changes jsonb NOT NULL,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL,
        PRIMARY KEY (organization_id, sequence),
        CONSTRAINT audit_records_head FOREIGN KEY (organization_id) REFERENCES audit_heads (organization_id)
      )`);
    await runner.query(
      'CREATE INDEX audit_records_of_environment ON audit_records (organization_id, environment_id, sequence)',
    );
    await runner.query('CREATE INDEX audit_records_of_action ON audit_records (organization_id, action, sequence)');
    await runner.query(
      `CREATE INDEX audit_records_of_environment_action
         ON audit_records (organization_id, environment_id, action, sequence)`,
    );
    await runner.query(`
      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'audit records are never changed or removed';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_records_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_records
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_records, audit_heads');
    await runner.query('DROP FUNCTION refuse_audit_change');
  }
}
