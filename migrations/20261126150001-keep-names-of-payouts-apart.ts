import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an exchange has is one payout. Where two were taken for the same, the later loses the name and stays as it is
 * otherwise: what became of it cannot be found out any more.
 */
export class KeepNamesOfPayoutsApart20261126150001 implements MigrationInterface {
  name = 'KeepNamesOfPayoutsApart20261126150001';

  async up(runner: QueryRunner): Promise<void> {
    // An instance of the version before settles payouts meanwhile.
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
