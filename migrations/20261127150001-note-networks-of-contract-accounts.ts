import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A smart account's owner is determined by a contract on one network. Existing accounts get theirs at next sign-in. */
export class NoteNetworksOfContractAccounts20261127150001 implements MigrationInterface {
  name = 'NoteNetworksOfContractAccounts20261127150001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials ADD COLUMN contract_network integer');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE credentials DROP COLUMN contract_network');
  }
}
