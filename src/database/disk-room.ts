import type { Pool } from 'pg';

/** PostgreSQL has no room on its disk: `disk_full`. */
const DISK_FULL = '53100';

const full = new WeakSet<Pool>();

export const isDiskFull = (error: unknown): boolean => (error as { code?: unknown }).code === DISK_FULL;

/** Notes when the server refuses something because its disk is full. Reads go on then, so nothing else shows it. */
export function watchRoom(pool: Pool): void {
  pool.on('connect', ({ connection }) => {
    connection.on('errorMessage', (error: unknown) => void (isDiskFull(error) && full.add(pool)));
  });
}

/** Whether the server has refused something for want of room since `foundRoom`. */
export const wantsRoom = (pool: Pool): boolean => full.has(pool);

export const foundRoom = (pool: Pool): void => void full.delete(pool);
