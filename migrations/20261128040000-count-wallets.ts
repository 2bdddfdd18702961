import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many wallets an environment has, kept by triggers as the number of users is, so that the list of wallets counts no
 * rows. Writers wait while what is there is counted once, or it would be counted twice or not at all.
 */
export class CountWallets20261128040000 implements MigrationInterface {
  name = 'CountWallets20261128040000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wallet_counts (
        environment_id uuid NOT NULL,
        slot smallint NOT NULL,
        wallets bigint NOT NULL,
        PRIMARY KEY (environment_id, slot),
        CONSTRAINT wallet_counts_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    // Each connection counts in a slot of its own, so that concurrent writers do not queue for one row.
    await runner.query(`
      CREATE FUNCTION count_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO wallet_counts AS c (environment_id, slot, wallets)
        SELECT environment_id, (pg_backend_pid() % 64)::smallint,
          CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
        FROM changed WHERE EXISTS (SELECT FROM environments e WHERE e.id = changed.environment_id)
        GROUP BY environment_id ORDER BY environment_id
        ON CONFLICT (environment_id, slot) DO UPDATE SET wallets = c.wallets + excluded.wallets;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER wallets_counted_in AFTER INSERT ON wallets REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_wallets()`);
    await runner.query(`
      CREATE TRIGGER wallets_counted_out AFTER DELETE ON wallets REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_wallets()`);
    await runner.query(`
      INSERT INTO wallet_counts (environment_id, slot, wallets)
      SELECT environment_id, 0, count(*) FROM wallets GROUP BY 1`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER wallets_counted_in ON wallets');
    await runner.query('DROP TRIGGER wallets_counted_out ON wallets');
    await runner.query('DROP FUNCTION count_wallets');
    await runner.query('DROP TABLE wallet_counts');
  }
}
