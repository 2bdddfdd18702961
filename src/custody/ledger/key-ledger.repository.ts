import { Injectable } from '@nestjs/common';
import { GENESIS_HASH } from '../../common/hash-chain.js';
import {
  asSystem,
  Database,
  instantText,
  scopedStatement,
  storedInstantText,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { entryHash, type LedgerEntry, type LedgerRow } from './ledger-entry.js';

/** The smallest `bigint`. */
const LEAST = "'-9223372036854775808'::bigint";

const linked = (previous: string, sequence: string, entry: string): string =>
  `sha256(${previous} || int8send(${sequence}) || convert_to((SELECT ${instantText('now')} FROM at), 'UTF8') || ${entry})`;

// Each writer waits for the head, and then sees the row before its own. Sequence and hash depend on that row, so the
// database computes them.
const APPEND = scopedStatement(
  'keyLedger.append',
  `WITH at AS (SELECT clock_timestamp() AS now),
   head AS (
     INSERT INTO key_ledger_heads AS h (environment_id, sequence, previous_hash, hash)
     SELECT $1::uuid, 1, $2::bytea, ${linked('$2::bytea', '1::bigint', '$3::bytea')}
     ON CONFLICT (environment_id) DO UPDATE SET sequence = h.sequence + 1, previous_hash = h.hash,
       hash = ${linked('h.hash', 'h.sequence + 1', '$3::bytea')}
     RETURNING h.sequence, h.previous_hash, h.hash)
   INSERT INTO key_ledger (environment_id, sequence, id, occurred_at, operation, actor, user_id, keys_id, subject,
     reason, digest, verdict, previous_hash, hash)
   SELECT $1::uuid, head.sequence, $4, at.now, $5, $6, $7, $8, $9, $10, $11, $12, head.previous_hash, head.hash
   FROM head CROSS JOIN at`,
);

// The same for several rows behind an existing head, each chained to the one before it. The head is locked before it is
// read, so the read sees what the last writer left.
const APPEND_ALL = scopedStatement(
  'keyLedger.appendAll',
  `WITH RECURSIVE at AS (SELECT clock_timestamp() AS now),
   added AS MATERIALIZED (
     SELECT * FROM unnest($2::bytea[], $3::uuid[], $4::text[], $5::jsonb[], $6::uuid[], $7::uuid[], $8::jsonb[],
       $9::text[], $10::bytea[], $11::text[]) WITH ORDINALITY
       AS e (entry_hash, id, operation, actor, user_id, keys_id, subject, reason, digest, verdict, place)),
   head AS MATERIALIZED (
     SELECT sequence, hash FROM key_ledger_heads WHERE environment_id = $1 FOR NO KEY UPDATE),
   chain AS (
     SELECT 0::bigint AS place, sequence, NULL::bytea AS previous_hash, hash FROM head
     UNION ALL
     SELECT a.place, c.sequence + 1, c.hash, ${linked('c.hash', 'c.sequence + 1', 'a.entry_hash')}
     FROM chain c JOIN added a ON a.place = c.place + 1),
   moved AS (
     UPDATE key_ledger_heads h SET sequence = c.sequence, previous_hash = c.previous_hash, hash = c.hash
     FROM chain c WHERE h.environment_id = $1 AND c.place = (SELECT max(place) FROM added))
   INSERT INTO key_ledger (environment_id, sequence, id, occurred_at, operation, actor, user_id, keys_id, subject,
     reason, digest, verdict, previous_hash, hash)
   SELECT $1::uuid, c.sequence, a.id, at.now, a.operation, a.actor, a.user_id, a.keys_id, a.subject, a.reason, a.digest,
     a.verdict, c.previous_hash, c.hash
   FROM chain c JOIN added a ON a.place = c.place CROSS JOIN at`,
);

// Without a start, begins below every possible sequence number: the table may have lost its constraints. A hash that was
// taken away equals no other.
const WALK = scopedStatement(
  'keyLedger.walk',
  `SELECT environment_id AS "environmentId", sequence::float8 AS sequence, id, ${storedInstantText('occurred_at')} AS "occurredAt",
     operation, actor, user_id AS "userId", keys_id AS "keysId", subject, reason, digest, verdict,
     coalesce(previous_hash, '') AS "previousHash", coalesce(hash, '') AS hash
   FROM key_ledger WHERE environment_id = $1 AND sequence >= coalesce($2, ${LEAST}) ORDER BY key_ledger.sequence LIMIT $3`,
);

const HEAD = scopedStatement(
  'keyLedger.findHead',
  `SELECT environment_id AS "environmentId", sequence::float8 AS sequence, coalesce(hash, '') AS hash
   FROM key_ledger_heads WHERE environment_id = $1`,
);

const HEADS = asSystem('the heads of all ledgers are published and verified, and say nothing of tenants').statement(
  'keyLedger.listHeads',
  `SELECT environment_id AS "environmentId", sequence::float8 AS sequence, coalesce(hash, '') AS hash
   FROM key_ledger_heads WHERE environment_id > $1 ORDER BY environment_id LIMIT $2`,
);

// One index step per ledger, not one per row.
const HEADLESS = asSystem('a ledger whose head was taken away is found by its rows alone').statement(
  'keyLedger.listHeadless',
  `WITH RECURSIVE ledgers AS (
     (SELECT environment_id AS id FROM key_ledger ORDER BY environment_id LIMIT 1)
     UNION ALL
     SELECT (SELECT k.environment_id FROM key_ledger k WHERE k.environment_id > l.id ORDER BY k.environment_id LIMIT 1)
     FROM ledgers l WHERE l.id IS NOT NULL)
   SELECT id AS "environmentId" FROM ledgers
   WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM key_ledger_heads h WHERE h.environment_id = id)
   ORDER BY id LIMIT $1`,
);

export interface LedgerHead {
  readonly environmentId: string;
  readonly sequence: number;
  readonly hash: Buffer;
}

@Injectable()
export class KeyLedgerRepository {
  constructor(private readonly database: Database) {}

  /** Queues a row to be added behind the head, which is held until the transaction ends. Does not wait. */
  append(environmentId: EnvironmentId, entry: LedgerEntry, tx: Transaction): void {
    tx.send(APPEND, [
      environmentId,
      GENESIS_HASH,
      entryHash(entry),
      entry.id,
      entry.operation,
      JSON.stringify(entry.actor),
      entry.userId,
      entry.keysId,
      JSON.stringify(entry.subject),
      entry.reason,
      entry.digest,
      entry.verdict,
    ]);
  }

  /** The same for several rows in the given order. */
  appendAll(environmentId: EnvironmentId, entries: readonly LedgerEntry[], tx: Transaction): void {
    const [first, ...rest] = entries;
    // Creates the head where there is none.
    if (first) this.append(environmentId, first, tx);
    if (rest.length > 0) this.appendBehind(environmentId, rest, tx);
  }

  private appendBehind(environmentId: EnvironmentId, entries: readonly LedgerEntry[], tx: Transaction): void {
    tx.send(APPEND_ALL, [
      environmentId,
      entries.map(entryHash),
      entries.map(({ id }) => id),
      entries.map(({ operation }) => operation),
      entries.map(({ actor }) => JSON.stringify(actor)),
      entries.map(({ userId }) => userId),
      entries.map(({ keysId }) => keysId),
      entries.map(({ subject }) => JSON.stringify(subject)),
      entries.map(({ reason }) => reason),
      entries.map(({ digest }) => digest),
      entries.map(({ verdict }) => verdict),
    ]);
  }

  /** Rows in order from `from` on; with null, from the first one, whatever its number. */
  walk(environmentId: string, from: number | null, limit: number, on: Executor = this.database): Promise<LedgerRow[]> {
    return on.rows<LedgerRow>(WALK, [environmentId, from, limit]);
  }

  async findHead(environmentId: string, on: Executor = this.database): Promise<LedgerHead | null> {
    return (await on.rows<LedgerHead>(HEAD, [environmentId]))[0] ?? null;
  }

  /** Heads of the environments after the given id, ordered by id. */
  listHeads(after: string, limit: number): Promise<LedgerHead[]> {
    return this.database.rows<LedgerHead>(HEADS, [after, limit]);
  }

  /** Environments whose ledger has rows but no head, which only someone able to bypass the constraints can cause. */
  async listHeadless(limit: number): Promise<string[]> {
    const rows = await this.database.rows<{ environmentId: string }>(HEADLESS, [limit]);
    return rows.map(({ environmentId }) => environmentId);
  }
}
