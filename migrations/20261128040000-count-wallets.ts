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
    // In a slot that nobody holds, else in a new one: a transaction that has wallets behind it and others before it would
    // otherwise wait for one that has it the other way round, as whoever deletes a user beside one who makes one.
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
