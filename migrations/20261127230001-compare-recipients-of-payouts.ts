import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One open payout of an amount to an address, however the address is written. Of two that are open already the later is
 * kept apart by spaces behind its address: it is on its way, and is found at the exchange by the key it was sent with.
 */
export class CompareRecipientsOfPayouts20261127230001 implements MigrationInterface {
  name = 'CompareRecipientsOfPayouts20261127230001';

  async up(runner: QueryRunner): Promise<void> {
    // An instance of the version before writes payouts meanwhile.
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
