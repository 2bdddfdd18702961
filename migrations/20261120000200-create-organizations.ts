import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations, their projects, environments and members, and the API tokens of both kinds. */
export class CreateOrganizations20261120000200 implements MigrationInterface {
  name = 'CreateOrganizations20261120000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organizations (
        id uuid NOT NULL PRIMARY KEY,
        name text NOT NULL,
        description text,
        website_url text,
        address jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE projects (
        organization_id uuid NOT NULL,
        id uuid NOT NULL PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT projects_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX projects_name ON projects (organization_id, name)');
    await runner.query(`
      CREATE TABLE environments (
        id uuid NOT NULL PRIMARY KEY,
        project_id uuid,
        organization_id uuid,
        kind text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT environments_project FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE,
        CONSTRAINT environments_kind CHECK (kind IN ('sandbox', 'live', 'console')),
        CONSTRAINT environments_owner CHECK ((kind = 'console') = (project_id IS NULL AND organization_id IS NULL))
      )`);
    await runner.query('CREATE UNIQUE INDEX environments_of_project ON environments (project_id, kind)');
    await runner.query("CREATE UNIQUE INDEX environments_one_console ON environments (kind) WHERE kind = 'console'");
    await runner.query(`
      CREATE TABLE members (
        organization_id uuid NOT NULL,
        id uuid NOT NULL PRIMARY KEY,
        user_id uuid NOT NULL,
        role text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT members_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT members_role CHECK (role IN ('owner', 'admin', 'developer', 'viewer'))
      )`);
    await runner.query('CREATE UNIQUE INDEX members_once ON members (user_id, organization_id)');
    await runner.query('CREATE INDEX members_of_organization ON members (organization_id, id)');
    await runner.query(`
      CREATE TABLE api_tokens (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        token_hash bytea NOT NULL,
        checksum text NOT NULL,
        note text NOT NULL,
        scopes text[] NOT NULL,
        created_by uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        last_used_at timestamptz,
        PRIMARY KEY (environment_id, id),
        CONSTRAINT api_tokens_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX api_tokens_hash ON api_tokens (token_hash)');
    await runner.query(`
      CREATE TABLE personal_tokens (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        checksum text NOT NULL,
        note text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        last_used_at timestamptz,
        PRIMARY KEY (environment_id, id),
        CONSTRAINT personal_tokens_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX personal_tokens_hash ON personal_tokens (token_hash)');
    await runner.query('CREATE INDEX personal_tokens_of_user ON personal_tokens (environment_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE personal_tokens, api_tokens, members, environments, projects, organizations');
  }
}
