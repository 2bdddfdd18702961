import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Private keys imported by users: one row each beside the HD seed, preceded by a ceremony of five minutes. */
export class CreateKeyImports20261122550001 implements MigrationInterface {
  name = 'CreateKeyImports20261122550001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE wallet_seeds ADD COLUMN kind text NOT NULL DEFAULT 'hd-entropy',
        ADD CONSTRAINT wallet_seeds_kind CHECK (kind IN ('hd-entropy', 'private-key'))`);
    await runner.query('DROP INDEX wallet_seeds_one_per_user');
    await runner.query(
      "CREATE UNIQUE INDEX wallet_seeds_one_per_user ON wallet_seeds (environment_id, user_id) WHERE destroy_after IS NULL AND kind = 'hd-entropy'",
    );
    await runner.query(
      'CREATE INDEX wallet_seeds_of_user ON wallet_seeds (environment_id, user_id) WHERE destroy_after IS NULL',
    );
    await runner.query(`
      CREATE TABLE key_imports (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        session_id uuid NOT NULL,
        chain text NOT NULL,
        sealed_key bytea NOT NULL,
        master_key_id text NOT NULL,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT key_imports_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX key_imports_expired ON key_imports (expires_at)');
    await runner.query('CREATE INDEX key_imports_of_user ON key_imports (environment_id, user_id)');
    await runner.query('CREATE INDEX key_imports_by_master_key ON key_imports (master_key_id, environment_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_imports');
    await runner.query("DELETE FROM wallets w USING wallet_seeds s WHERE s.id = w.seed_id AND s.kind = 'private-key'");
    await runner.query("DELETE FROM wallet_seeds WHERE kind = 'private-key'");
    await runner.query('DROP INDEX wallet_seeds_of_user');
    await runner.query('DROP INDEX wallet_seeds_one_per_user');
    await runner.query(
      'CREATE UNIQUE INDEX wallet_seeds_one_per_user ON wallet_seeds (environment_id, user_id) WHERE destroy_after IS NULL',
    );
    await runner.query('ALTER TABLE wallet_seeds DROP COLUMN kind');
  }
}
