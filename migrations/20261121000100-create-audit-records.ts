import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who changed what in an organization: append-only chains of records, and the head of each chain. */
export class CreateAuditRecords20261121000100 implements MigrationInterface {
  name = 'CreateAuditRecords20261121000100';

  async up(runner: QueryRunner): Promise<void> {
    // NO ACTION: the trail outlives its subjects, so an organization with a trail cannot be deleted.
    await runner.query(`
      CREATE TABLE audit_heads (
        organization_id uuid NOT NULL PRIMARY KEY,
        sequence bigint NOT NULL,
        hash bytea NOT NULL,
        CONSTRAINT audit_heads_organization FOREIGN KEY (organization_id) REFERENCES organizations (id)
      )`);
    // Records reference the head, whose row their writer has locked already, rather than the organization: no lock is
    // taken after the head's. A record's environment may have been deleted, so it has no foreign key.
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
