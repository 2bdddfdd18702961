import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The number of wallets of an environment, maintained by triggers like that of users, so that listing wallets counts no
 * rows. Writers wait during the initial count; otherwise theirs would be counted twice or not at all.
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
    // Uses an unlocked slot, else a new one: waiting for a locked slot could deadlock with a transaction that takes
    // locks in the opposite order, e.g. when one deletes a user while another creates one.
    await runner.query(`
      CREATE FUNCTION count_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        counted record;
      BEGIN
        FOR counted IN
          SELECT environment_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS wallets
          FROM changed WHERE EXISTS (SELECT FROM environments e WHERE e.id = changed.environment_id)
          GROUP BY environment_id
        LOOP
          UPDATE wallet_counts c SET wallets = c.wallets + counted.wallets
          FROM (SELECT f.environment_id, f.slot FROM wallet_counts f WHERE f.environment_id = counted.environment_id
            LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) AS free
          WHERE c.environment_id = free.environment_id AND c.slot = free.slot;
          IF NOT FOUND THEN
            INSERT INTO wallet_counts AS c (environment_id, slot, wallets)
            VALUES (counted.environment_id, (random() * 65535)::int - 32768, counted.wallets)
            ON CONFLICT (environment_id, slot) DO UPDATE SET wallets = c.wallets + excluded.wallets;
          END IF;
        END LOOP;
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
