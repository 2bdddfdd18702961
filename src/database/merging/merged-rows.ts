import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../scope.js';
import { generatedStatement, type Statement } from '../statement.js';
import type { Transaction } from '../transaction.js';
import { MergedTables, type MergedTable } from './merged-tables.js';

/** Per table. Users with more rows are not merged away, since undoing the merge would restore fewer than were taken. */
const MOST_KEPT = 1_000;

/** The user merged away and the user who remains. */
export interface MergedPair {
  fromUserId: string;
  userId: string;
}

/** Rows taken from one table, as JSON. */
export interface TakenRows {
  /** Ids of rows moved to the other user. */
  ids: string[];
  /** Deleted rows. */
  rows: object[];
}

const tenant = (text: string): Statement => generatedStatement('', text, 'tenant');

/**
 * Transfers a user's rows to another user, as the contexts that own the tables prescribe. Rows are locked in id order
 * and tables visited in name order, so that concurrent merges cannot deadlock. The caller holds locks on both users, so
 * nothing is added meanwhile.
 */
@Injectable()
export class MergedRows {
  constructor(private readonly tables: MergedTables) {}

  /** A table that prevents merging a user away; null if there is none. */
  async findRefusing(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<MergedTable | null> {
    for (const one of this.tables.of('refused')) {
      const text = `SELECT 1 AS found FROM ${one.table} WHERE environment_id = $1 AND ${one.subject} = $2 LIMIT 1`;
      if ((await tx.rows(tenant(text), [environmentId, userId])).length > 0) return one;
    }
    return null;
  }

  /** A table in which a user has more rows than an undo could restore; null if there is none. */
  async findOverfull(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<MergedTable | null> {
    for (const one of this.tables.of('kept')) {
      const text = `SELECT 1 AS found FROM ${one.table} WHERE environment_id = $1 AND ${one.subject} = $2 OFFSET ${MOST_KEPT} LIMIT 1`;
      if ((await tx.rows(tenant(text), [environmentId, userId])).length > 0) return one;
    }
    return null;
  }

  /** @returns what is needed to undo it, by table */
  async take(
    environmentId: EnvironmentId,
    { fromUserId, userId }: MergedPair,
    tx: Transaction,
  ): Promise<Record<string, TakenRows>> {
    const taken: Record<string, TakenRows> = {};
    for (const one of this.tables.of('moved', 'kept')) {
      const moving = one.fate === 'moved' ? [environmentId, fromUserId, userId] : null;
      const moved = moving ? await tx.rows<{ id: string }>(moveOf(one), moving) : [];
      const left = await tx.rows<{ row: object }>(leftOf(one), [environmentId, fromUserId]);
      if (moved.length + left.length === 0) continue;
      taken[one.table] = { ids: moved.map(({ id }) => id), rows: left.map(({ row }) => row) };
    }
    return taken;
  }

  /** Restores what still exists. The user has been restored already. */
  async giveBack(
    environmentId: EnvironmentId,
    { fromUserId, userId }: MergedPair,
    taken: Readonly<Record<string, TakenRows>>,
    tx: Transaction,
  ): Promise<void> {
    for (const one of this.tables.of('moved', 'kept')) {
      const { ids = [], rows = [] } = taken[one.table] ?? {};
      if (ids.length > 0) await tx.execute(returnOf(one), [environmentId, userId, fromUserId, ids]);
      if (rows.length > 0) await tx.execute(restoreOf(one), [environmentId, fromUserId, JSON.stringify(rows)]);
    }
  }
}

/** A value that the other user also has stays behind. */
const isNew = ({ table, subject, once }: MergedTable): string =>
  once.length === 0
    ? ''
    : `AND NOT EXISTS (SELECT FROM ${table} o WHERE o.environment_id = $1 AND o.${subject} = $3
         AND ${once.map((column) => `o.${column} = r.${column}`).join(' AND ')})`;

const moveOf = (one: MergedTable): Statement =>
  tenant(
    `WITH theirs AS (
       SELECT r.id FROM ${one.table} r WHERE r.environment_id = $1 AND r.${one.subject} = $2 ${isNew(one)} ORDER BY r.id FOR UPDATE)
     UPDATE ${one.table} t SET ${one.subject} = $3 FROM theirs WHERE t.environment_id = $1 AND t.id = theirs.id RETURNING t.id`,
  );

const leftOf = ({ table, subject }: MergedTable): Statement =>
  tenant(
    `SELECT to_jsonb(t) AS row FROM ${table} t WHERE environment_id = $1 AND ${subject} = $2
     ORDER BY to_jsonb(t)::text LIMIT ${MOST_KEPT}`,
  );

const returnOf = ({ table, subject }: MergedTable): Statement =>
  tenant(
    `WITH own AS (
       SELECT r.id FROM ${table} r WHERE r.environment_id = $1 AND r.${subject} = $2 AND r.id = ANY ($4::uuid[])
       ORDER BY r.id FOR UPDATE)
     UPDATE ${table} t SET ${subject} = $3 FROM own WHERE t.environment_id = $1 AND t.id = own.id`,
  );

const restoreOf = ({ table, subject }: MergedTable): Statement =>
  tenant(
    `INSERT INTO ${table} SELECT r.* FROM jsonb_populate_recordset(null::${table}, $3::jsonb) r
     WHERE r.environment_id = $1 AND r.${subject} = $2 ON CONFLICT DO NOTHING`,
  );
