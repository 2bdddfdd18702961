import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { AllowlistEntryRow } from './allowlist.entity.js';

/** Search result limit; a caller narrows the query down instead of paging. */
export const MOST_FOUND = 1_000;
/** Sorts after every character that occurs in keys. */
const LAST = '\u{10FFFF}';

const KEYS = scopedStatement(
  'allowlistEntries.addKeys',
  `INSERT INTO allowlist_entry_keys (environment_id, allowlist_id, entry_id, key)
   SELECT $1, $2, $3, key FROM unnest($4::text[]) AS key`,
);
const ADD_MANY = scopedStatement(
  'allowlistEntries.addMany',
  `INSERT INTO allowlist_entries (environment_id, allowlist_id, id, fields)
   SELECT $1, $2, e.id, e.fields FROM unnest($3::uuid[], $4::jsonb[]) AS e (id, fields)`,
);
const ADD_ALL_KEYS = scopedStatement(
  'allowlistEntries.addAllKeys',
  `INSERT INTO allowlist_entry_keys (environment_id, allowlist_id, entry_id, key)
   SELECT $1, $2, k.entry_id, k.key FROM unnest($3::uuid[], $4::text[]) AS k (entry_id, key) ORDER BY k.key`,
);
const KNOWN_KEYS = scopedStatement(
  'allowlistEntries.findKnownKeys',
  `SELECT key FROM allowlist_entry_keys WHERE environment_id = $1 AND allowlist_id = $2 AND key = ANY($3::text[])`,
);
const page = (name: string, direction: 'ASC' | 'DESC') =>
  scopedStatement(
    name,
    `SELECT environment_id AS "environmentId", id, allowlist_id AS "allowlistId", fields, created_at AS "createdAt"
     FROM allowlist_entries
     WHERE environment_id = $1 AND id IN (
       SELECT id FROM allowlist_entries WHERE environment_id = $1 AND allowlist_id = $2
       ORDER BY id ${direction} OFFSET $3 LIMIT $4)
     ORDER BY id ${direction}`,
  );
const PAGES = { asc: page('allowlistEntries.list', 'ASC'), desc: page('allowlistEntries.listBack', 'DESC') };
/** Each prefix is a range of the primary key. */
const SEARCH = scopedStatement(
  'allowlistEntries.search',
  `SELECT DISTINCT found.entry_id AS id FROM unnest($3::text[]) AS prefix CROSS JOIN LATERAL (
     SELECT k.entry_id FROM allowlist_entry_keys k
     WHERE k.environment_id = $1 AND k.allowlist_id = $2 AND k.key >= prefix AND k.key < prefix || '${LAST}'
     ORDER BY k.key LIMIT ${MOST_FOUND}) AS found
   LIMIT ${MOST_FOUND}`,
);
const BY_IDS = scopedStatement(
  'allowlistEntries.findByIds',
  `SELECT environment_id AS "environmentId", id, allowlist_id AS "allowlistId", fields, created_at AS "createdAt"
   FROM allowlist_entries WHERE environment_id = $1 AND id = ANY($2::uuid[])`,
);
const MATCHING_KEYS = scopedStatement(
  'allowlistEntries.listMatchingKeys',
  `SELECT allowlist_id AS "allowlistId", key FROM allowlist_entry_keys
   WHERE environment_id = $1 AND allowlist_id = ANY($2::uuid[]) AND key = ANY($3::text[])`,
);

/** An entry with all its lookup keys. */
export interface NewEntry extends Pick<AllowlistEntryRow, 'id' | 'allowlistId' | 'fields'> {
  keys: string[];
}

@Injectable()
export class AllowlistEntriesRepository extends ScopedRepository<AllowlistEntryRow> {
  constructor(database: Database) {
    super(database, AllowlistEntryRow);
  }

  /** @throws a unique violation of `allowlist_entry_keys_pkey` when another entry of the list has one of the keys */
  async add(
    environmentId: EnvironmentId,
    entry: Pick<AllowlistEntryRow, 'id' | 'allowlistId' | 'fields'>,
    keys: readonly string[],
    tx: Transaction,
  ): Promise<AllowlistEntryRow> {
    const row = await this.insert(environmentId, entry, tx);
    await tx.execute(KEYS, [environmentId, entry.allowlistId, entry.id, keys]);
    return row;
  }

  /** @throws a unique violation of `allowlist_entry_keys_pkey` when an entry of the list has one of the keys */
  async addMany(
    environmentId: EnvironmentId,
    allowlistId: string,
    entries: readonly NewEntry[],
    tx: Transaction,
  ): Promise<void> {
    const fields = entries.map((entry) => JSON.stringify(entry.fields));
    await tx.execute(ADD_MANY, [environmentId, allowlistId, entries.map(({ id }) => id), fields]);
    const keys = entries.flatMap((entry) => entry.keys.map((key) => [entry.id, key] as const));
    const columns = [keys.map(([id]) => id), keys.map(([, key]) => key)];
    await tx.execute(ADD_ALL_KEYS, [environmentId, allowlistId, ...columns]);
  }

  /** The keys that belong to an entry of the list. */
  async knownKeys(
    environmentId: EnvironmentId,
    allowlistId: string,
    keys: readonly string[],
    tx: Transaction,
  ): Promise<Set<string>> {
    const rows = await tx.rows<{ key: string }>(KNOWN_KEYS, [environmentId, allowlistId, keys]);
    return new Set(rows.map(({ key }) => key));
  }

  page(
    environmentId: EnvironmentId,
    allowlistId: string,
    { direction, offset, limit }: { direction: 'asc' | 'desc'; offset: number; limit: number },
  ): Promise<AllowlistEntryRow[]> {
    return this.database.rows(PAGES[direction], [environmentId, allowlistId, offset, limit]);
  }

  /** Ids of entries that have a key with one of these prefixes, oldest first. */
  async search(environmentId: EnvironmentId, allowlistId: string, prefixes: readonly string[]): Promise<string[]> {
    const found = await this.database.rows<{ id: string }>(SEARCH, [environmentId, allowlistId, prefixes]);
    return found.map(({ id }) => id).sort();
  }

  byIds(environmentId: EnvironmentId, ids: readonly string[]): Promise<AllowlistEntryRow[]> {
    return this.database.rows(BY_IDS, [environmentId, ids]);
  }

  /** Which of the keys are on which of the lists. */
  matchingKeys(
    environmentId: EnvironmentId,
    allowlistIds: readonly string[],
    keys: readonly string[],
  ): Promise<{ allowlistId: string; key: string }[]> {
    return this.database.rows(MATCHING_KEYS, [environmentId, allowlistIds, keys]);
  }
}
