import type { MigrationInterface, QueryRunner } from 'typeorm';

/** End users, their identifiers, and user counts. */
export class CreateUsers20261120000400 implements MigrationInterface {
  name = 'CreateUsers20261120000400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');
    await runner.query(`
      CREATE TABLE users (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        email text,
        alias text,
        first_name text,
        last_name text,
        job_title text,
        phone_number text,
        username text,
        t_shirt_size text,
        team text,
        country text,
        policies_consent boolean,
        metadata jsonb,
        mfa_backup_code_acknowledgement text,
        btc_wallet text,
        kda_wallet text,
        ltc_wallet text,
        ckb_wallet text,
        kas_wallet text,
        doge_wallet text,
        email_notification boolean,
        discord_notification boolean,
        newsletter_notification boolean,
        external_user_id text,
        first_visit timestamptz,
        last_visit timestamptz,
        last_verified_credential_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT users_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX users_by_creation ON users (environment_id, created_at, id)');
    await runner.query(
      'CREATE INDEX users_username ON users (environment_id, lower(username)) WHERE username IS NOT NULL',
    );
    await runner.query(`
      CREATE FUNCTION user_search_text(
        email text, alias text, first_name text, last_name text, job_title text, phone_number text, username text
      ) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT lower(coalesce(email, '') || E'\\n' || coalesce(alias, '') || E'\\n' || coalesce(first_name, '') || E'\\n' ||
          coalesce(last_name, '') || E'\\n' || coalesce(job_title, '') || E'\\n' || coalesce(phone_number, '') || E'\\n' ||
          coalesce(username, ''))
      $$`);
    await runner.query(`
      CREATE INDEX users_search ON users USING gin (
        environment_id,
        user_search_text(email, alias, first_name, last_name, job_title, phone_number, username) gin_trgm_ops
      )`);
    await runner.query(`
      CREATE TABLE user_counts (
        environment_id uuid NOT NULL,
        slot smallint NOT NULL,
        users bigint NOT NULL,
        PRIMARY KEY (environment_id, slot),
        CONSTRAINT user_counts_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    // Each connection counts in its own slot, so that concurrent inserts do not queue for one row.
    await runner.query(`
      CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO user_counts AS c (environment_id, slot, users)
          SELECT environment_id, (pg_backend_pid() % 64)::smallint, count(*) FROM changed GROUP BY environment_id
          ON CONFLICT (environment_id, slot) DO UPDATE SET users = c.users + excluded.users;
        ELSE
          INSERT INTO user_counts AS c (environment_id, slot, users)
          SELECT environment_id, (pg_backend_pid() % 64)::smallint, -count(*) FROM changed
          WHERE EXISTS (SELECT FROM environments e WHERE e.id = changed.environment_id) GROUP BY environment_id
          ON CONFLICT (environment_id, slot) DO UPDATE SET users = c.users + excluded.users;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_counted_in AFTER INSERT ON users REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_users()`);
    await runner.query(`
      CREATE TRIGGER users_counted_out AFTER DELETE ON users REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION count_users()`);
    await runner.query(`
      CREATE TABLE credentials (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        format text NOT NULL,
        sign_in_enabled boolean NOT NULL DEFAULT true,
        verified_at timestamptz,
        email text,
        public_identifier text,
        address text,
        chain text,
        wallet_id uuid,
        wallet_name text,
        wallet_provider text,
        wallet_properties jsonb,
        wallet_additional_addresses jsonb,
        oauth_provider text,
        oauth_account_id text,
        oauth_username text,
        oauth_display_name text,
        oauth_emails text[],
        oauth_account_photos text[],
        oauth_metadata jsonb,
        phone_number text,
        phone_country_code text,
        iso_country_code text,
        last_selected_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT credentials_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX credentials_of_user ON credentials (environment_id, user_id)');
    await runner.query(
      'CREATE INDEX credentials_email ON credentials (environment_id, lower(email)) WHERE email IS NOT NULL',
    );
    await runner.query(
      'CREATE INDEX credentials_oauth ON credentials (environment_id, oauth_provider, oauth_account_id) WHERE oauth_account_id IS NOT NULL',
    );
    await runner.query(
      'CREATE INDEX credentials_address ON credentials (environment_id, lower(address)) WHERE address IS NOT NULL',
    );
    // Owners of identifiers. The key decides between concurrent claims: one user wins. The claim is written before its
    // user, so that the loser has created nothing; hence the deferred constraint.
    await runner.query(`
      CREATE TABLE identifier_claims (
        environment_id uuid NOT NULL,
        kind text NOT NULL,
        identifier text NOT NULL,
        user_id uuid NOT NULL,
        proven_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, kind, identifier),
        CONSTRAINT identifier_claims_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
      )`);
    await runner.query('CREATE INDEX identifier_claims_of_user ON identifier_claims (environment_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE identifier_claims, credentials, user_counts, users');
    await runner.query('DROP FUNCTION count_users');
    await runner.query('DROP FUNCTION user_search_text');
  }
}
