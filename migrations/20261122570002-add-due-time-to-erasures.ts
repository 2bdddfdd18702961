import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When events about an erased person are removed: at once, or after receivers have had time to collect them. */
export class AddDueTimeToErasures20261122570002 implements MigrationInterface {
  name = 'AddDueTimeToErasures20261122570002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE erasures ADD COLUMN due_at timestamptz NOT NULL DEFAULT now()');
    await runner.query('DROP INDEX erasures_open');
    await runner.query('CREATE INDEX erasures_open ON erasures (due_at) WHERE scrubbed_at IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX erasures_open');
    await runner.query('CREATE INDEX erasures_open ON erasures (created_at) WHERE scrubbed_at IS NULL');
    await runner.query('ALTER TABLE erasures DROP COLUMN due_at');
  }
}
