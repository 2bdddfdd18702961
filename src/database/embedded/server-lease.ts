import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { SUPERUSER } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';

/** Advisory lock key of the leases, in the maintenance database of the cluster. */
const LEASE = 7_301_558;

/** How long the server may take to notice that another lease holder was killed. */
const ABANDONED_LEASE_MS = 500;
const POLL_MS = 50;

const INVALID_PASSWORD = '28P01';
const DUPLICATE_DATABASE = new Set(['42P04', '23505']);

/**
 * One process's share in a running server: a shared advisory lock on a dedicated connection. It ends with the process,
 * however that ends, so the last process to leave is known without a record that could go stale.
 */
export class ServerLease {
  private constructor(private readonly client: pg.Client) {}

  /** @throws EmbeddedPostgresError on a wrong password; the connection error while the server starts or stops. */
  static async open(port: number, password: string, dataDir: string): Promise<ServerLease> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: SUPERUSER,
      password,
      database: 'postgres',
      application_name: 'gatehouse lease',
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT pg_advisory_lock_shared($1)', [LEASE]);
    } catch (error) {
      await client.end().catch(() => undefined);
      if (codeOf(error) !== INVALID_PASSWORD) throw error;
      throw new EmbeddedPostgresError(
        `the password does not open the database in ${dataDir}; restore the one it was created with, ` +
          'or move that folder away to start empty',
        { cause: error },
      );
    }
    return new ServerLease(client);
  }

  async ensureDatabase(name: string): Promise<void> {
    const found = await this.client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount) return;
    try {
      await this.client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    } catch (error) {
      if (!DUPLICATE_DATABASE.has(codeOf(error) ?? '')) throw error;
    }
  }

  /** Gives the lease up. True if no other process holds one, so the caller may stop the server. */
  async release(): Promise<boolean> {
    try {
      await this.client.query('SELECT pg_advisory_unlock_shared($1)', [LEASE]);
      for (let waitedMs = 0; waitedMs < ABANDONED_LEASE_MS; waitedMs += POLL_MS) {
        const result = await this.client.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [LEASE]);
        if (result.rows[0]?.last) return true;
        await delay(POLL_MS);
      }
      return false;
    } catch {
      // The server is stopped or stopping: there is nobody left to protect.
      return true;
    } finally {
      await this.client.end().catch(() => undefined);
    }
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}
