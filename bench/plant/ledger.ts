import { GENESIS_HASH } from '../../src/common/hash-chain.js';
import { rowHash, type LedgerRow } from '../../src/custody/ledger/ledger-entry.js';
import { newId } from '../../src/common/ids.js';
import { withClient } from '../stack/postgres.js';

const BATCH = 5000;
/** Placeholder for the bytes that a digest is computed over. */
const DIGEST = Buffer.alloc(32, 7);

const HEAD = 'SELECT sequence::float8 AS sequence, hash FROM key_ledger_heads WHERE environment_id = $1';

const INSERT = `
  INSERT INTO key_ledger (environment_id, sequence, id, occurred_at, operation, actor, user_id, keys_id, subject, reason,
    digest, verdict, previous_hash, hash)
  SELECT $1, r.sequence, r.id, $2, 'sign', r.actor, r.user_id, r.keys_id, r.subject, r.reason, $3, 'allowed',
    r.previous_hash, r.hash
  FROM unnest($4::bigint[], $5::uuid[], $6::jsonb[], $7::uuid[], $8::uuid[], $9::jsonb[], $10::text[], $11::bytea[],
    $12::bytea[]) AS r (sequence, id, actor, user_id, keys_id, subject, reason, previous_hash, hash)`;

const MOVE_HEAD = `
  INSERT INTO key_ledger_heads (environment_id, sequence, previous_hash, hash) VALUES ($1, $2, $3, $4)
  ON CONFLICT (environment_id) DO UPDATE SET sequence = $2, previous_hash = $3, hash = $4`;

/** Adds chained signature rows to the ledger of an environment whose keys are not used meanwhile. */
export async function plantLedger(databaseUrl: string, environmentId: string, rows: number): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows: heads } = await client.query<{ sequence: number; hash: Buffer }>(HEAD, [environmentId]);
    let last: { sequence: number; hash: Buffer } = heads[0] ?? { sequence: 0, hash: GENESIS_HASH };
    let previousHash: Buffer = GENESIS_HASH;
    const occurredAt = `${new Date().toISOString().slice(0, -1)}000Z`;
    for (let left = rows; left > 0; left -= BATCH) {
      const batch: LedgerRow[] = [];
      while (batch.length < Math.min(BATCH, left)) {
        const [id, userId, keysId] = [newId(), newId(), newId()];
        const row = {
          ...({ environmentId, id, operation: 'sign', actor: { type: 'user', id: userId }, userId, keysId } as const),
          ...{ subject: { chain: 'EVM', kind: 'message' }, reason: 'asked by the user', digest: DIGEST },
          ...{ verdict: 'allowed', sequence: last.sequence + 1, occurredAt, previousHash: last.hash },
        };
        previousHash = last.hash;
        last = { sequence: row.sequence, hash: rowHash(row) };
        batch.push({ ...row, hash: last.hash });
      }
      // Rows refer to their head.
      await client.query(MOVE_HEAD, [environmentId, last.sequence, previousHash, last.hash]);
      await client.query(INSERT, [
        ...[environmentId, occurredAt, DIGEST, batch.map(({ sequence }) => sequence), batch.map(({ id }) => id)],
        batch.map(({ actor }) => JSON.stringify(actor)),
        batch.map(({ userId }) => userId),
        batch.map(({ keysId }) => keysId),
        batch.map(({ subject }) => JSON.stringify(subject)),
        batch.map(({ reason }) => reason),
        ...[batch.map((row) => row.previousHash), batch.map(({ hash }) => hash)],
      ]);
    }
    await client.query('VACUUM (ANALYZE) key_ledger, key_ledger_heads');
  });
}
