import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations to an organization, each bound to one address. */
export class CreateInvites20261121002001 implements MigrationInterface {
  name = 'CreateInvites20261121002001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invites (
        organization_id uuid NOT NULL,
        id uuid NOT NULL PRIMARY KEY,
        email text NOT NULL,
        role text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        alias text,
        wallet_public_key text,
        token_hash bytea NOT NULL,
        created_by uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        sent_at timestamptz,
        answered_at timestamptz,
        answered_by uuid,
        CONSTRAINT invites_organization FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT invites_role CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
        CONSTRAINT invites_status CHECK (status IN ('pending', 'rejected', 'accepted')),
        CONSTRAINT invites_answer CHECK ((status = 'pending') = (answered_at IS NULL AND answered_by IS NULL))
      )`);
    await runner.query(
      "CREATE UNIQUE INDEX invites_pending ON invites (organization_id, email) WHERE status = 'pending'",
    );
    await runner.query('CREATE INDEX invites_of_organization ON invites (organization_id, status, id)');
    await runner.query('CREATE INDEX invites_of_email ON invites (email, status, id)');
    await runner.query('CREATE UNIQUE INDEX invites_token ON invites (token_hash)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE invites');
  }
}
