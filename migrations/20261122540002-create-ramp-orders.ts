import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders and payments with an `Idempotency-Key`, written before the vendor is called. */
export class CreateRampOrders20261122540002 implements MigrationInterface {
  name = 'CreateRampOrders20261122540002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ramp_orders (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        provider text NOT NULL,
        request_hash bytea NOT NULL,
        reference text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT ramp_orders_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX ramp_orders_of_user ON ramp_orders (environment_id, user_id)');
    await runner.query('CREATE INDEX ramp_orders_created ON ramp_orders (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ramp_orders');
  }
}
