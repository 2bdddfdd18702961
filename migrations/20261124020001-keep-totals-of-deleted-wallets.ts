import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A wallet's usage of rule totals belongs to its account, which can be recreated after the wallet was deleted.
 * Instances of the previous version store nothing for wallets they delete.
 */
export class KeepTotalsOfDeletedWallets20261124020001 implements MigrationInterface {
  name = 'KeepTotalsOfDeletedWallets20261124020001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signing_policy_past_totals (
        environment_id uuid NOT NULL,
        rule_id uuid NOT NULL,
        address text NOT NULL,
        user_id uuid NOT NULL,
        total numeric NOT NULL,
        PRIMARY KEY (environment_id, rule_id, address),
        CONSTRAINT signing_policy_past_totals_rule FOREIGN KEY (environment_id, rule_id)
          REFERENCES signing_policy_rules (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT signing_policy_past_totals_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX signing_policy_past_totals_of_user ON signing_policy_past_totals (environment_id, user_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signing_policy_past_totals');
  }
}
