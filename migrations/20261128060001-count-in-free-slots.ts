import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Users, visitors, daily visits and monthly active users are counted in any unlocked slot, like wallets, or in a new
 * one. With slots assigned by connection number, a transaction could meet a slot that others had locked and wait for
 * them: two that count for two environments each, in opposite order, would deadlock.
 *
 * The count is the sum over all slots, so instances of the previous version can still read it.
 */
export class CountInFreeSlots20261128060001 implements MigrationInterface {
  name = 'CountInFreeSlots20261128060001';

  async up(runner: QueryRunner): Promise<void> {
    for (const counting of countings(inFreeSlot)) await runner.query(counting);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const counting of countings(inSlotOfConnection)) await runner.query(counting);
  }
}

/** Adds `counted.amount` to the slots of a key, whose columns `counted` has as well. */
type Adding = (table: string, key: readonly string[], sum: string) => string;

// The slot is taken in a separate statement: a join could take a different one for each row it compares.
const inFreeSlot: Adding = (table, key, sum) => {
  const ofKey = (row: string): string => key.map((column) => `${row}.${column} = counted.${column}`).join(' AND ');
  return `
    SELECT f.slot INTO free FROM ${table} f WHERE ${ofKey('f')} LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
      UPDATE ${table} c SET ${sum} = c.${sum} + counted.amount WHERE ${ofKey('c')} AND c.slot = free;
    ELSE
      ${inSlot('(random() * 65535)::int - 32768', table, key, sum)}
    END IF;`;
};
const inSlotOfConnection: Adding = (table, key, sum) => inSlot('(pg_backend_pid() % 64)::smallint', table, key, sum);

const inSlot = (slot: string, table: string, key: readonly string[], sum: string): string => `
    INSERT INTO ${table} AS c (${key.join(', ')}, slot, ${sum})
    VALUES (${key.map((column) => `counted.${column}`).join(', ')}, ${slot}, counted.amount)
    ON CONFLICT (${key.join(', ')}, slot) DO UPDATE SET ${sum} = c.${sum} + excluded.${sum};`;

/** Deletions along with their environment are no longer counted. */
const IS_THERE = 'EXISTS (SELECT FROM environments e WHERE e.id = changed.environment_id)';

const countings = (adding: Adding): string[] => [
  `CREATE OR REPLACE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     counted record;
     free smallint;
   BEGIN
     FOR counted IN
       SELECT environment_id, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS amount
       FROM changed WHERE ${IS_THERE} GROUP BY environment_id ORDER BY environment_id
     LOOP ${adding('user_counts', ['environment_id'], 'users')}
     END LOOP;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION count_visitors() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     counted record;
     free smallint;
   BEGIN
     FOR counted IN
       SELECT environment_id, chain, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS amount
       FROM changed WHERE ${IS_THERE} GROUP BY environment_id, chain ORDER BY environment_id, chain
     LOOP ${adding('visitor_counts', ['environment_id', 'chain'], 'visitors')}
     END LOOP;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION count_visit_days() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     left_day date;
     new_day date;
     environment uuid;
     counted record;
     free smallint;
   BEGIN
     IF TG_OP <> 'INSERT' THEN
       left_day := (OLD.last_visit AT TIME ZONE 'UTC')::date;
       environment := OLD.environment_id;
     END IF;
     IF TG_OP <> 'DELETE' THEN
       new_day := (NEW.last_visit AT TIME ZONE 'UTC')::date;
       environment := NEW.environment_id;
     END IF;
     IF left_day IS NOT DISTINCT FROM new_day THEN
       RETURN NULL;
     END IF;
     FOR counted IN
       SELECT environment AS environment_id, TG_ARGV[0] AS kind, m.day, m.amount
       FROM (VALUES (left_day, -1), (new_day, 1)) AS m (day, amount)
       WHERE m.day >= (now() AT TIME ZONE 'UTC')::date - 40 AND EXISTS (SELECT FROM environments e WHERE e.id = environment)
       ORDER BY m.day
     LOOP ${adding('visit_days', ['environment_id', 'kind', 'day'], 'people')}
     END LOOP;
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION count_active_user() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     this_month date := date_trunc('month', NEW.token_issued_at AT TIME ZONE 'UTC')::date;
     counted record;
     free smallint;
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
       FOR counted IN
         SELECT e.organization_id, this_month AS month, 1 AS amount FROM environments e
         WHERE e.id = NEW.environment_id AND e.organization_id IS NOT NULL
       LOOP ${adding('billing_usage', ['organization_id', 'month'], 'users')}
       END LOOP;
     END IF;
     RETURN NULL;
   END $$`,
];
