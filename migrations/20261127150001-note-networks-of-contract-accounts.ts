import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A smart account is whose the contract of one network says it is. Those of before get theirs when they next sign in. */
export class NoteNetworksOfContractAccounts20261127150001 implements MigrationInterface {
  name = 'NoteNetworksOfContractAccounts20261127150001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials ADD COLUMN contract_network integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials DROP COLUMN contract_network');
  }
}
