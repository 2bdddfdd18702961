import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Plans of organizations, coupons, and monthly active users per organization. */
export class CreateBilling20261121006001 implements MigrationInterface {
  name = 'CreateBilling20261121006001';

  async up(runner: QueryRunner): Promise<void> {
    // An organization without a row is on the free plan, in its initial trial.
    await runner.query(`
      CREATE TABLE billing_subscriptions (
        organization_id uuid NOT NULL PRIMARY KEY,
        plan text NOT NULL DEFAULT 'free',
        trial_end timestamptz NOT NULL,
        has_payment_method boolean NOT NULL DEFAULT false,
        payment_overdue boolean NOT NULL DEFAULT false,
        customer_id text,
        upgrade_attempt integer NOT NULL DEFAULT 0,
        upgrade_by jsonb,
        last_ticket bigint NOT NULL DEFAULT 0,
        mirrored_ticket bigint NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT billing_subscriptions_organization
          FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT billing_subscriptions_plan CHECK (plan IN ('free', 'advanced', 'enterprise', 'standard'))
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX billing_subscriptions_customer ON billing_subscriptions (customer_id) WHERE customer_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE billing_coupons (
        code text NOT NULL PRIMARY KEY,
        trial_days integer,
        percent_off integer,
        max_redemptions integer,
        redemptions integer NOT NULL DEFAULT 0,
        expires_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT billing_coupons_within CHECK (redemptions <= max_redemptions)
      )`);
    // The key ensures that a coupon is redeemed once per organization, however often it is submitted.
    await runner.query(`
      CREATE TABLE billing_redemptions (
        organization_id uuid NOT NULL,
        coupon text NOT NULL,
        redeemed_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (organization_id, coupon),
        CONSTRAINT billing_redemptions_organization
          FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT billing_redemptions_coupon FOREIGN KEY (coupon) REFERENCES billing_coupons (code)
      )`);
    await runner.query(`
      CREATE TABLE billing_provider_events (
        id text NOT NULL PRIMARY KEY,
        type text NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX billing_provider_events_old ON billing_provider_events (received_at)');
    await runner.query(`
      CREATE TABLE billing_active_users (
        environment_id uuid NOT NULL,
        user_id uuid NOT NULL,
        month date NOT NULL,
        PRIMARY KEY (environment_id, user_id),
        CONSTRAINT billing_active_users_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE billing_usage (
        organization_id uuid NOT NULL,
        month date NOT NULL,
        slot smallint NOT NULL,
        users bigint NOT NULL,
        PRIMARY KEY (organization_id, month, slot),
        CONSTRAINT billing_usage_organization
          FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    // A user's first sign-in or refresh in a month counts; later ones find the row and write nothing. Each connection
    // counts in its own slot, so that concurrent sign-ins do not queue for one row. Counts are kept when a user or
    // environment is deleted.
    await runner.query(`
      CREATE FUNCTION count_active_user() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        this_month date := date_trunc('month', NEW.token_issued_at AT TIME ZONE 'UTC')::date;
      BEGIN
        PERFORM FROM billing_active_users
          WHERE environment_id = NEW.environment_id AND user_id = NEW.user_id AND month >= this_month;
        IF FOUND THEN
          RETURN NULL;
        END IF;
        INSERT INTO billing_active_users AS a (environment_id, user_id, month)
        VALUES (NEW.environment_id, NEW.user_id, this_month)
        ON CONFLICT (environment_id, user_id) DO UPDATE SET month = excluded.month WHERE a.month < excluded.month;
        IF FOUND THEN
          INSERT INTO billing_usage AS u (organization_id, month, slot, users)
          SELECT e.organization_id, this_month, (pg_backend_pid() % 64)::smallint, 1 FROM environments e
          WHERE e.id = NEW.environment_id AND e.organization_id IS NOT NULL
          ON CONFLICT (organization_id, month, slot) DO UPDATE SET users = u.users + 1;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER sessions_count_sign_ins AFTER INSERT ON sessions
      FOR EACH ROW EXECUTE FUNCTION count_active_user()`);
    await runner.query(`
      CREATE TRIGGER sessions_count_refreshes AFTER UPDATE OF token_issued_at ON sessions FOR EACH ROW
      WHEN (date_trunc('month', OLD.token_issued_at AT TIME ZONE 'UTC')
        < date_trunc('month', NEW.token_issued_at AT TIME ZONE 'UTC'))
      EXECUTE FUNCTION count_active_user()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER sessions_count_refreshes ON sessions');
    await runner.query('DROP TRIGGER sessions_count_sign_ins ON sessions');
    await runner.query('DROP FUNCTION count_active_user');
    await runner.query('DROP TABLE billing_usage, billing_active_users, billing_provider_events');
    await runner.query('DROP TABLE billing_redemptions, billing_coupons, billing_subscriptions');
  }
}
