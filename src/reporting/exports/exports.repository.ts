import { Injectable } from '@nestjs/common';
import {
  Database,
  dueRowsStatement,
  ScopedRepository,
  scopedRowsStatement,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { ExportModel } from './export.dto.js';
import { ExportRow } from './export.entities.js';
import { PAGE } from './export-records.repository.js';
import type { ExportFolder } from './storage/export-storage.js';

export interface ExportUnderWay {
  environmentId: string;
  id: string;
}

/** Deleted environments keep their row for a while. */
const IS_LIVE = 'EXISTS (SELECT FROM environments e WHERE e.id = environment_id AND e.deleted_at IS NULL)';

/** The longest waiting comes first, so that a long file does not block a short one. */
const CLAIM = dueRowsStatement(
  'exports.claim',
  `WITH due AS MATERIALIZED (
     SELECT environment_id, id FROM exports WHERE status = 'pending' AND due_at <= now() AND ${IS_LIVE}
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
   UPDATE exports x SET due_at = now() + make_interval(secs => $1), started_at = coalesce(x.started_at, now()) FROM due
   WHERE x.environment_id = due.environment_id AND x.id = due.id
   RETURNING x.environment_id AS "environmentId", x.id`,
);

/** The part count and position decide between two workers at the same step: the loser's part is discarded. */
const ADVANCE = scopedStatement(
  'exports.extend',
  `UPDATE exports SET parts = parts || $4::text, ends = ends || $5::uuid, position = $5, rows = rows + $6, failures = 0, due_at = now(),
     status = CASE WHEN $7 THEN 'completed' ELSE status END, completed_at = CASE WHEN $7 THEN now() END
   WHERE environment_id = $1 AND id = $2 AND cardinality(parts) = $3 AND position = $8 AND status = 'pending'
     AND ${IS_LIVE}`,
);

const FAIL = scopedStatement(
  'exports.fail',
  `UPDATE exports SET failures = failures + 1, status = CASE WHEN failures + 1 >= $3 THEN 'failed' ELSE status END,
     error = CASE WHEN failures + 1 >= $3 THEN $4 END, due_at = now() + make_interval(secs => $5)
   WHERE environment_id = $1 AND id = $2 AND status = 'pending'`,
);

const IS_WANTED = scopedStatement(
  'exports.isWanted',
  `SELECT ${IS_LIVE} AND status <> 'failed' AS wanted FROM exports WHERE environment_id = $1 AND id = $2`,
);

/** Longer than an erasure's transaction takes: a page read during it may still contain the person. */
const ERASING_SECONDS = 60;
const NO_ID = '00000000-0000-0000-0000-000000000000';
/**
 * Keeps the parts that end before the first erased record. The rest is rewritten by the worker that finds the export
 * due; all parts but the last are full. An abandoned export keeps nothing.
 */
const TAKE_BACK = scopedStatement(
  'exports.takeBack',
  `WITH old AS (
     SELECT id, CASE WHEN status <> 'failed' AND cardinality(ends) = cardinality(parts)
       THEN (SELECT count(*)::int FROM unnest(ends) AS e (last) WHERE e.last < $3::uuid) ELSE 0 END AS kept
     FROM exports
     WHERE environment_id = $1 AND model = $4 AND created_at < $2::timestamptz + make_interval(secs => ${ERASING_SECONDS})
     ORDER BY id FOR UPDATE),
   taken AS (
     UPDATE exports x SET dropped = x.dropped || x.parts[old.kept + 1:], parts = x.parts[:old.kept],
       ends = x.ends[:old.kept], position = coalesce(x.ends[nullif(old.kept, 0)], '${NO_ID}'), rows = old.kept * ${PAGE},
       status = CASE x.status WHEN 'completed' THEN 'pending' ELSE x.status END, completed_at = NULL, due_at = now()
     FROM old WHERE x.environment_id = $1 AND x.id = old.id AND old.kept < cardinality(x.parts)
     RETURNING x.id, x.dropped)
   SELECT id, dropped FROM taken
   UNION ALL
   SELECT x.id, x.dropped FROM exports x
   WHERE x.environment_id = $1 AND x.dropped <> '{}' AND NOT EXISTS (SELECT FROM taken WHERE taken.id = x.id)`,
);

const FORGET_DROPPED = scopedStatement(
  'exports.forgetDropped',
  `UPDATE exports SET dropped = ARRAY(SELECT p FROM unnest(dropped) AS p WHERE p <> ALL ($3::text[]))
   WHERE environment_id = $1 AND id = $2`,
);

const LIST_KEPT = scopedRowsStatement(
  'exports.listKept',
  `SELECT x.environment_id AS "environmentId", x.id AS "exportId"
   FROM unnest($1::uuid[], $2::uuid[]) AS f (environment_id, id)
   JOIN exports x ON x.environment_id = f.environment_id AND x.id = f.id
   JOIN environments e ON e.id = x.environment_id AND e.deleted_at IS NULL`,
);

/** Keeps the export until the end of the transaction: it may be cleared away meanwhile, or its file rewritten. */
const OPEN = scopedStatement(
  'exportDownloads.open',
  `WITH ready AS (
     SELECT id FROM exports WHERE environment_id = $1 AND id = $3 AND status = 'completed' FOR KEY SHARE)
   INSERT INTO export_downloads (environment_id, token_hash, export_id, expires_at)
   SELECT $1, $2, id, now() + $4 * interval '1 second' FROM ready`,
);

/** Of concurrent downloads, only one finds the row. */
const REDEEM = scopedStatement(
  'exportDownloads.redeem',
  `WITH taken AS (
     DELETE FROM export_downloads WHERE environment_id = $1 AND token_hash = $2 AND expires_at > now() AND ${IS_LIVE}
     RETURNING export_id)
   SELECT x.environment_id AS "environmentId", x.id, x.model, x.parts FROM exports x JOIN taken ON taken.export_id = x.id
   WHERE x.environment_id = $1 AND x.status = 'completed'`,
);

/** The data needed to read a file. */
export type ExportFile = Pick<ExportRow, 'environmentId' | 'id' | 'model' | 'parts'>;

export interface ExportStep {
  part: string;
  position: string;
  rows: number;
  isLast: boolean;
}

/** Erased records of a model, identified by the first of them. */
export interface TakenBack {
  model: ExportModel;
  from: string;
  askedBy: Date;
}

export type DroppedParts = Pick<ExportRow, 'id' | 'dropped'>;

@Injectable()
export class ExportsRepository extends ScopedRepository<ExportRow> {
  constructor(database: Database) {
    super(database, ExportRow);
  }

  /** Leases the next due export to the caller; null when none is due. */
  async claim(leaseSeconds: number): Promise<ExportUnderWay | null> {
    return (await this.database.rows<ExportUnderWay>(CLAIM, [leaseSeconds]))[0] ?? null;
  }

  /** False when the export or its environment was deleted, or the export was abandoned. */
  async isWanted(environmentId: EnvironmentId, id: string): Promise<boolean> {
    const rows = await this.database.rows<{ wanted: boolean }>(IS_WANTED, [environmentId, id]);
    return rows[0]?.wanted ?? false;
  }

  /**
   * Removes the parts from a record onwards from exports requested by then, to be rewritten.
   * @returns the parts to remove from the store, including those of earlier calls
   */
  takeBack(environmentId: EnvironmentId, { model, from, askedBy }: TakenBack): Promise<DroppedParts[]> {
    return this.database.rows<DroppedParts>(TAKE_BACK, [environmentId, askedBy, from, model]);
  }

  /** Forgets parts that have been removed from the store. */
  async forgetDropped(environmentId: EnvironmentId, { id, dropped }: DroppedParts): Promise<void> {
    await this.database.execute(FORGET_DROPPED, [environmentId, id, dropped]);
  }

  /** The folders that belong to an export of an existing environment. */
  listKept(folders: readonly ExportFolder[]): Promise<ExportFolder[]> {
    const [environments, ids] = [folders.map((one) => one.environmentId), folders.map((one) => one.exportId)];
    return this.database.rows<ExportFolder>(LIST_KEPT, [environments, ids]);
  }

  /** False when the export was deleted, has ended, or another worker took the step. */
  async advance(environmentId: EnvironmentId, { id, parts, position }: ExportRow, step: ExportStep): Promise<boolean> {
    const { part, rows, isLast } = step;
    const values = [environmentId, id, parts.length, part, step.position, rows, isLast, position];
    return (await this.database.execute(ADVANCE, values)) === 1;
  }

  /** Records a failed step, to be retried after a pause unless it is the last of `most`. */
  async fail(
    environmentId: EnvironmentId,
    id: string,
    { most, error, pauseSeconds }: { most: number; error: string; pauseSeconds: number },
  ): Promise<void> {
    await this.database.execute(FAIL, [environmentId, id, most, error, pauseSeconds]);
  }

  /** False when the export has no file, or no longer one. */
  async openDownload(
    environmentId: EnvironmentId,
    download: { tokenHash: Buffer; exportId: string; ttlSeconds: number },
    tx: Transaction,
  ): Promise<boolean> {
    const { tokenHash, exportId, ttlSeconds } = download;
    return (await tx.execute(OPEN, [environmentId, tokenHash, exportId, ttlSeconds])) === 1;
  }

  /** The file of a single-use URL. The token is the only authorisation needed. */
  async redeem(environment: string, tokenHash: Buffer): Promise<ExportFile | null> {
    return (await this.database.rows<ExportFile>(REDEEM, [environment, tokenHash]))[0] ?? null;
  }
}
