import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each payout at the exchange belongs to one row. Where two rows refer to the same payout, the later one loses the
 * reference and is otherwise unchanged: its outcome can no longer be determined.
 */
export class KeepNamesOfPayoutsApart20261126150001 implements MigrationInterface {
  name = 'KeepNamesOfPayoutsApart20261126150001';

  async up(runner: QueryRunner): Promise<void> {
    // Instances of the previous version settle payouts meanwhile.
    await runner.query('LOCK TABLE exchange_transfers IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(`
      UPDATE exchange_transfers t SET reference = NULL
      WHERE EXISTS (
        SELECT FROM exchange_transfers o
        WHERE o.environment_id = t.environment_id AND o.exchange = t.exchange AND o.reference = t.reference
          AND (o.created_at, o.id) < (t.created_at, t.id))`);
    await runner.query(`
      CREATE UNIQUE INDEX exchange_transfers_reference ON exchange_transfers (environment_id, exchange, reference)
        WHERE reference IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX exchange_transfers_reference');
  }
}
