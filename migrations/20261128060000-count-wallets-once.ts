import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A wallet was counted in several slots when PostgreSQL compared an environment's slots with the free one row by row:
 * it searched for a free slot each time, skipping those just written. So the slot is now taken in a separate statement,
 * and wallets are recounted. Writers wait meanwhile, or their changes would be lost.
 */
export class CountWalletsOnce20261128060000 implements MigrationInterface {
  name = 'CountWalletsOnce20261128060000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE wallets IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(`
      CREATE OR REPLACE FUNCTION count_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        counted record;
        free smallint;
      BEGIN
        FOR counted IN
          SELECT environment_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS wallets
          FROM changed WHERE EXISTS (SELECT FROM environments e WHERE e.id = changed.environment_id)
          GROUP BY environment_id
        LOOP
          SELECT f.slot INTO free FROM wallet_counts f WHERE f.environment_id = counted.environment_id
          LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
          IF FOUND THEN
            UPDATE wallet_counts c SET wallets = c.wallets + counted.wallets
            WHERE c.environment_id = counted.environment_id AND c.slot = free;
          ELSE
            INSERT INTO wallet_counts AS c (environment_id, slot, wallets)
            VALUES (counted.environment_id, (random() * 65535)::int - 32768, counted.wallets)
            ON CONFLICT (environment_id, slot) DO UPDATE SET wallets = c.wallets + excluded.wallets;
          END IF;
        END LOOP;
        RETURN NULL;
      END $$`);
    await runner.query('DELETE FROM wallet_counts');
    await runner.query(`
      INSERT INTO wallet_counts (environment_id, slot, wallets)
      SELECT environment_id, 0, count(*) FROM wallets GROUP BY 1`);
  }

  /** The previous version uses this function too, and works correctly with it. */
  async down(): Promise<void> {}
}
