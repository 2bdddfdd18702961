import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payouts from exchange accounts, written before they are sent. While the outcome of one is unknown, no second payout
 * of the same amount from the same account to the same address is possible.
 */
export class CreateExchangeTransfers20261122540003 implements MigrationInterface {
  name = 'CreateExchangeTransfers20261122540003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE exchange_transfers (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        credential_id uuid NOT NULL,
        exchange text NOT NULL,
        account_id uuid NOT NULL,
        vendor_account text NOT NULL,
        recipient text NOT NULL,
        amount text NOT NULL,
        currency text NOT NULL,
        network text,
        description text,
        state text NOT NULL,
        vendor_status text,
        reference text,
        refusal text,
        created_at timestamptz NOT NULL DEFAULT now(),
        sent_at timestamptz NOT NULL DEFAULT now(),
        checked_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT exchange_transfers_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX exchange_transfers_open
        ON exchange_transfers (environment_id, user_id, exchange, account_id, recipient, amount, currency)
        WHERE state IN ('sending', 'unknown')`);
    await runner.query(`
      CREATE INDEX exchange_transfers_unsettled ON exchange_transfers (checked_at) WHERE state IN ('sending', 'unknown')`);
    await runner.query('CREATE INDEX exchange_transfers_of_user ON exchange_transfers (environment_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE exchange_transfers');
  }
}
