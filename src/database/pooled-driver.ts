import pg from 'pg';
import type { DataSource } from 'typeorm';
import { watchRoom } from './disk-room.js';

const pools = new WeakMap<object, pg.Pool>();

/**
 * The `driver` option for TypeORM: `pg`, with its pool made accessible. The service's statements, migrations and
 * extensions' repositories then share one set of connections.
 */
export function pooledDriver(): object {
  const driver = {
    ...pg,
    Pool: class extends pg.Pool {
      constructor(options?: pg.PoolConfig) {
        super(options);
        pools.set(driver, this);
        watchRoom(this);
        // If the server ends a connection between two statements, the client emits an `error` event, which would end the
        // process without a listener. The pool has none on connections that it hands out; one of the caller's would come
        // too late for an end that arrives together with the answer to the caller before. Nothing else is needed: the
        // next statement on the connection fails.
        this.on('connect', (client) => client.on('error', () => undefined));
      }
    },
  };
  return driver;
}

/** @throws Error for a source that was not created with a pooled driver, or is not connected yet */
export function poolOf(source: DataSource): pg.Pool {
  const { driver } = source.options as { driver?: object };
  const pool = driver && pools.get(driver);
  if (!pool) throw new Error('TypeORM has not opened a pool with the driver it was given.');
  return pool;
}
