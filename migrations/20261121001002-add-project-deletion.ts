import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A deleted project is unreachable at once, and its rows are removed in batches later: a single statement would hold
 * locks for minutes. The unique index excludes deleted projects, so the name is available at once.
 */
export class AddProjectDeletion20261121001002 implements MigrationInterface {
  name = 'AddProjectDeletion20261121001002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects ADD COLUMN deleted_at timestamptz');
    await runner.query('ALTER TABLE environments ADD COLUMN deleted_at timestamptz');
    await runner.query('DROP INDEX projects_name');
    await runner.query(
      'CREATE UNIQUE INDEX projects_name ON projects (organization_id, name) WHERE deleted_at IS NULL',
    );
    await runner.query('CREATE INDEX projects_deleted ON projects (id) WHERE deleted_at IS NOT NULL');
    await runner.query('CREATE INDEX environments_deleted ON environments (id) WHERE deleted_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM projects WHERE deleted_at IS NOT NULL');
    await runner.query('ALTER TABLE environments DROP COLUMN deleted_at');
    await runner.query('DROP INDEX projects_name');
    await runner.query('ALTER TABLE projects DROP COLUMN deleted_at');
    await runner.query('CREATE UNIQUE INDEX projects_name ON projects (organization_id, name)');
  }
}
