import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every use of keys in an environment: an append-only chain of rows, and the head of each chain. */
export class CreateKeyLedger20261122250001 implements MigrationInterface {
  name = 'CreateKeyLedger20261122250001';

  async up(runner: QueryRunner): Promise<void> {
    // No foreign key to environments: the ledger outlives its subjects, including a deleted environment.
    await runner.query(`
      CREATE TABLE key_ledger_heads (
        environment_id uuid NOT NULL PRIMARY KEY,
        sequence bigint NOT NULL,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL
      )`);
    // Rows reference the head, whose row their writer has locked already: no lock is taken after the head's.
    await runner.query(`
      CREATE TABLE key_ledger (
        environment_id uuid NOT NULL,
        sequence bigint NOT NULL,
        id uuid NOT NULL,
        occurred_at timestamptz NOT NULL,
        operation text NOT NULL,
        actor jsonb NOT NULL,
        user_id uuid NOT NULL,
        keys_id uuid NOT NULL,
        subject jsonb NOT NULL,
        reason text NOT NULL,
        digest bytea,
        verdict text NOT NULL,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL,
        PRIMARY KEY (environment_id, sequence),
        CONSTRAINT key_ledger_head FOREIGN KEY (environment_id) REFERENCES key_ledger_heads (environment_id)
      )`);
    await runner.query('CREATE INDEX key_ledger_of_user ON key_ledger (environment_id, user_id, sequence)');
    await runner.query(`
      CREATE FUNCTION refuse_key_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'rows of the key ledger are never changed or removed';
      END $$`);
    await runner.query(`
      CREATE TRIGGER key_ledger_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON key_ledger
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_key_ledger_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_ledger, key_ledger_heads');
    await runner.query('DROP FUNCTION refuse_key_ledger_change');
  }
}
