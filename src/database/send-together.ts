import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';

/**
 * What one turn sends on a connection leaves in one write. A write wakes the server and costs more than the statement it
 * carries, so `BEGIN` travels with the first statement, and `COMMIT` with the last.
 */
export function sendTogether(client: PoolClient): void {
  // Every client of `pg` has a connection; its types leave it out.
  const { stream } = (client as PoolClient & { readonly connection: { readonly stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  // After the promises of this turn, which send more.
  process.nextTick(() => stream.uncork());
}
