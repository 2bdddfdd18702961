import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the founder of an organization plans to go live. */
export class AddImplementationTimeline20261121001001 implements MigrationInterface {
  name = 'AddImplementationTimeline20261121001001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations ADD COLUMN implementation_timeline text,
        ADD CONSTRAINT organizations_timeline
          CHECK (implementation_timeline IN ('yesterday', 'nextTwoWeeks', 'nextTwoMonths', 'justBrowsing'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN implementation_timeline');
  }
}
