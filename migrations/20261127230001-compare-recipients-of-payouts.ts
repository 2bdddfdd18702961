import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One open payout per amount and address, however the address is written. If two are open already, trailing spaces keep
 * the later one's address distinct: it is in flight, and its key identifies it at the exchange.
 */
export class CompareRecipientsOfPayouts20261127230001 implements MigrationInterface {
  name = 'CompareRecipientsOfPayouts20261127230001';

  async up(runner: QueryRunner): Promise<void> {
    // Instances of the previous version write payouts meanwhile.
    await runner.query('LOCK TABLE exchange_transfers IN SHARE ROW EXCLUSIVE MODE');
    await runner.query('DROP INDEX exchange_transfers_open');
    await runner.query(`
      UPDATE exchange_transfers t SET recipient = recipient || repeat(' ', n.place::int)
      FROM (
        SELECT environment_id, id, row_number() OVER (
          PARTITION BY environment_id, user_id, exchange, account_id, lower(recipient), amount, currency
          ORDER BY created_at, id) - 1 AS place
        FROM exchange_transfers WHERE state IN ('sending', 'unknown')) n
      WHERE t.environment_id = n.environment_id AND t.id = n.id AND n.place > 0`);
    await runner.query(`
      CREATE UNIQUE INDEX exchange_transfers_open
        ON exchange_transfers (environment_id, user_id, exchange, account_id, lower(recipient), amount, currency)
        WHERE state IN ('sending', 'unknown')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX exchange_transfers_open');
    await runner.query(`
      CREATE UNIQUE INDEX exchange_transfers_open
        ON exchange_transfers (environment_id, user_id, exchange, account_id, recipient, amount, currency)
        WHERE state IN ('sending', 'unknown')`);
  }
}
