import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Client, type Pool, type PoolClient, type QueryResult } from 'pg';
import { DataSource, type EntityMetadata, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { isLostConnection } from './database-errors.js';
import { foundRoom, isDiskFull, wantsRoom } from './disk-room.js';
import type { Executor } from './executor.js';
import { renewPlans } from './plan-renewal.js';
import { poolOf } from './pooled-driver.js';
import { nameTenant, tenantOf } from './row-security/named-tenant.js';
import { deploymentStatement, onlyReads, type Statement } from './statement.js';

/** By then the pool has noticed that its other connections were lost at the same moment. */
const HEARD_MS = 10;

const NOW = deploymentStatement('clock.read', 'SELECT clock_timestamp() AS now');
/** A file grows where those of the tables are, and is gone at once. */
const PROBE_ROOM = deploymentStatement(
  'server.probeRoom',
  `DO $$ BEGIN
     CREATE TEMPORARY TABLE pg_temp.room AS SELECT unnest(array_fill(repeat('room', 250), ARRAY[16])) AS filler;
     DROP TABLE pg_temp.room;
   END $$`,
);

/** The connection pool. Single statements commit by themselves; several statements go through the UnitOfWork. */
@Injectable()
export class Database implements Executor {
  private readonly pool: Pool;

  /** @param namesTenants whether each statement names its tenant, for row-level security */
  constructor(
    private readonly source: DataSource,
    readonly namesTenants: boolean,
  ) {
    this.pool = poolOf(source);
    renewPlans(this.pool);
  }

  /** A read-only statement is retried once on another connection if its own is lost. */
  async rows<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    try {
      return (await this.query<R>(statement, values)).rows;
    } catch (error) {
      if (!isLostConnection(error) || !onlyReads(statement)) throw error;
      await sleep(HEARD_MS);
      return (await this.query<R>(statement, values)).rows;
    }
  }

  /** A read-only statement that waits for no other work: while all connections are taken, it opens one of its own. */
  async rowsAtOnce<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]> {
    const { total, idle } = this.load;
    if (idle > 0 || total < this.bounds.most) return this.rows<R>(statement, values);
    const client = new Client(this.pool.options);
    client.on('error', () => undefined);
    try {
      await client.connect();
      // eslint-disable-next-line @typescript-eslint/await-thenable -- a promise, as in `preparedSessions`
      await this.pool.options.onConnect?.(client);
      return (await client.query<R>({ ...statement, values: values as unknown[] })).rows;
    } finally {
      // Not awaited: a server that has vanished would be waited for.
      client.end().catch(() => undefined);
    }
  }

  async execute(statement: Statement, values: readonly unknown[]): Promise<number> {
    return (await this.query(statement, values)).rowCount ?? 0;
  }

  /** For what no wrong clock of a machine may decide, such as what is old enough to be removed. */
  async now(): Promise<Date> {
    return (await this.rows<{ now: Date }>(NOW, []))[0]!.now;
  }

  private query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<QueryResult<R>> {
    const tenant = this.namesTenants ? tenantOf(statement, values) : null;
    const query = { ...statement, values: values as unknown[] };
    return tenant === null ? this.pool.query<R>(query) : this.queryNamed<R>(tenant, query);
  }

  /** A single-statement transaction, since the tenant setting ends with it. All messages are sent in one round trip. */
  private async queryNamed<R extends object>(
    tenant: string,
    query: Statement & { values: unknown[] },
  ): Promise<QueryResult<R>> {
    const client = await this.connect();
    const before = [client.query('BEGIN'), client.query(nameTenant(tenant))];
    const answer = client.query<R>(query);
    const sent = [...before, answer, client.query('COMMIT')];
    const failed = (await Promise.allSettled(sent)).find((one) => one.status === 'rejected');
    client.release(failed !== undefined && isLostConnection(failed.reason));
    if (failed) throw failed.reason;
    return answer;
  }

  /** Whether the server has refused something because its disk is full, and has no room now either. */
  async lacksRoom(): Promise<boolean> {
    if (!wantsRoom(this.pool)) return false;
    try {
      await this.rowsAtOnce(PROBE_ROOM, []);
    } catch (error) {
      if (isDiskFull(error)) return true;
      // A role that may create no temporary tables learns nothing: the next write that is refused is noted again.
    }
    foundRoom(this.pool);
    return false;
  }

  metadataOf<E extends ObjectLiteral>(entity: EntityTarget<E>): EntityMetadata {
    return this.source.getMetadata(entity);
  }

  /** For the UnitOfWork: a dedicated connection, returned with `release`. */
  connect(): Promise<PoolClient> {
    return this.pool.connect();
  }

  /** The maximum number of connections, and the longest wait for one. */
  get bounds(): { most: number; waitMs: number } {
    const { max, connectionTimeoutMillis = 0 } = this.pool.options;
    return { most: max, waitMs: connectionTimeoutMillis };
  }

  /** Open connections, idle ones, and requests waiting for one. */
  get load(): { total: number; idle: number; waiting: number } {
    return { total: this.pool.totalCount, idle: this.pool.idleCount, waiting: this.pool.waitingCount };
  }
}
