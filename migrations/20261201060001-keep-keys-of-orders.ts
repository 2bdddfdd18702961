import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The id of an order is derived from its user too, who may be merged into another. Null for earlier orders. */
export class KeepKeysOfOrders20261201060001 implements MigrationInterface {
  name = 'KeepKeysOfOrders20261201060001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ramp_orders ADD COLUMN key_hash bytea');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ramp_orders DROP COLUMN key_hash');
  }
}
