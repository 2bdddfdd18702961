import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Signing policies, their rules, and the wallets' usage of rule totals. */
export class CreateSigningPolicies20261122560001 implements MigrationInterface {
  name = 'CreateSigningPolicies20261122560001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE signing_policies (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT signing_policies_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX signing_policies_once ON signing_policies (environment_id)');
    await runner.query(`
      CREATE TABLE signing_policy_rules (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        policy_id uuid NOT NULL,
        definition jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT signing_policy_rules_policy FOREIGN KEY (environment_id, policy_id)
          REFERENCES signing_policies (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX signing_policy_rules_of_policy ON signing_policy_rules (environment_id, policy_id)',
    );
    await runner.query(`
      CREATE TABLE signing_policy_totals (
        environment_id uuid NOT NULL,
        rule_id uuid NOT NULL,
        wallet_id uuid NOT NULL,
        total numeric NOT NULL,
        PRIMARY KEY (environment_id, rule_id, wallet_id),
        CONSTRAINT signing_policy_totals_rule FOREIGN KEY (environment_id, rule_id)
          REFERENCES signing_policy_rules (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT signing_policy_totals_wallet FOREIGN KEY (environment_id, wallet_id)
          REFERENCES wallets (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX signing_policy_totals_of_wallet ON signing_policy_totals (environment_id, wallet_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signing_policy_totals, signing_policy_rules, signing_policies');
  }
}
