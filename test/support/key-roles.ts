import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createDatabase, withClient } from './postgres.js';

const PASSWORD = 'of-a-test';

/** The statements of the section, as an operator copies them. */
function documented(): string {
  const text = readFileSync(new URL('../../docs/running.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('### A role that alone may read sealed keys');
  const sql = [...section.split('\n## ')[0]!.matchAll(/```sql\n([^`]+)```/g)].map(([, block]) => block).join('\n');
  if (!sql) throw new Error('docs/running.md has no SQL for the roles.');
  return sql;
}

/** A database with the roles from docs/running.md, under unique names since others share the server. */
export class KeyRoles {
  private constructor(
    private readonly database: Awaited<ReturnType<typeof createDatabase>>,
    /** A superuser. */
    readonly admin: pg.Client,
    private readonly prefix: string,
  ) {}

  /** The state after a first start: the service owns every table. */
  static async prepare(): Promise<KeyRoles> {
    const database = await createDatabase();
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const roles = new KeyRoles(database, admin, `keys_${randomBytes(4).toString('hex')}`);
    await admin.query(`CREATE ROLE ${roles.prefix} LOGIN PASSWORD '${PASSWORD}'`);
    await admin.query(`ALTER DATABASE ${roles.name} OWNER TO ${roles.prefix}`);
    await admin.query(`DO $$ DECLARE t text; BEGIN
      FOR t IN SELECT format('%I', tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE 'ALTER TABLE ' || t || ' OWNER TO ${roles.prefix}';
      END LOOP; END $$`);
    return roles;
  }

  /** Runs the documented statements. */
  async make(): Promise<void> {
    const sql = documented()
      .replaceAll("PASSWORD '…'", `PASSWORD '${PASSWORD}'`)
      .replaceAll(
        /\bgatehouse(_keys|_signer|_operator)?\b/g,
        (_, role: string | undefined) => this.prefix + (role ?? ''),
      );
    await this.admin.query(sql);
  }

  /** The connection string of the service's role, or of another one. */
  urlOf(role: '' | '_signer' | '_operator'): string {
    const url = new URL(this.database.url);
    [url.username, url.password] = [this.prefix + role, PASSWORD];
    return url.href;
  }

  roleOf(role: '' | '_keys' | '_signer' | '_operator'): string {
    return this.prefix + role;
  }

  async drop(): Promise<void> {
    await this.admin.query(`ALTER DATABASE ${this.name} OWNER TO CURRENT_USER`);
    await this.admin.end();
    await this.database.drop();
    const server = Object.assign(new URL(this.database.url), { pathname: '/postgres' });
    const roles = ['_operator', '_signer', '_keys', ''].map((role) => this.prefix + role);
    await withClient(server.href, (client) => client.query(`DROP ROLE IF EXISTS ${roles.join(', ')}`));
  }

  private get name(): string {
    return new URL(this.database.url).pathname.slice(1);
  }
}
