import type pg from 'pg';

/**
 * Records every row inserted, updated or deleted in any table, to check whether calls wrote anything without reading
 * all tables. Ignores last-use times of tokens, which reads update too.
 */
export class WriteWatch {
  private constructor(private readonly db: pg.Client) {}

  static async start(db: pg.Client): Promise<WriteWatch> {
    await db.query(`
      CREATE SCHEMA write_watch;
      CREATE TABLE write_watch.seen (
        name text NOT NULL, row text, work xid8 NOT NULL DEFAULT pg_current_xact_id()
      );
      CREATE FUNCTION write_watch.note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' AND to_jsonb(OLD) - 'last_used_at' = to_jsonb(NEW) - 'last_used_at' THEN
          RETURN NULL;
        END IF;
        INSERT INTO write_watch.seen VALUES (TG_TABLE_NAME, CASE WHEN TG_OP IN ('INSERT', 'UPDATE') THEN NEW::text END);
        RETURN NULL;
      END $$;
    `);
    const { rows } = await db.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of rows) {
      await db.query(`
        CREATE TRIGGER write_watch AFTER INSERT OR UPDATE OR DELETE ON "${name}"
          FOR EACH ROW EXECUTE FUNCTION write_watch.note();
        CREATE TRIGGER write_watch_all AFTER TRUNCATE ON "${name}" EXECUTE FUNCTION write_watch.note();
      `);
    }
    return new WriteWatch(db);
  }

  /** Discards what was recorded so far. */
  async forget(): Promise<void> {
    await this.db.query('TRUNCATE write_watch.seen');
  }

  /** `table: row` of everything committed since, 100 at most. */
  async written(): Promise<string[]> {
    const { rows } = await this.db.query<{ name: string; row: string | null }>(
      'SELECT name, left(row, 300) AS row FROM write_watch.seen LIMIT 100',
    );
    return rows.map(({ name, row }) => `${name}: ${row ?? 'gone'}`);
  }

  /** Tables with writes committed since. */
  async tables(): Promise<string[]> {
    const { rows } = await this.db.query<{ name: string }>('SELECT DISTINCT name FROM write_watch.seen ORDER BY name');
    return rows.map(({ name }) => name);
  }

  /** Tables written to in transactions other than those that wrote to this one. */
  async beside(table: string): Promise<string[]> {
    const { rows } = await this.db.query<{ name: string }>(
      `SELECT DISTINCT name FROM write_watch.seen
        WHERE work NOT IN (SELECT work FROM write_watch.seen WHERE name = $1) ORDER BY name`,
      [table],
    );
    return rows.map(({ name }) => name);
  }

  /** Removes itself without a trace. */
  async stop(): Promise<void> {
    await this.db.query('DROP SCHEMA write_watch CASCADE');
  }
}
