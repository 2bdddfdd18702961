import { Injectable } from '@nestjs/common';
import {
  asSystem,
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { ExportRow } from './export.entities.js';

export interface ExportUnderWay {
  environmentId: string;
  id: string;
}

/** Those that went wrong least often come first, so that none holds up the others. */
const LIST_UNDER_WAY = asSystem('a worker writes the files of every environment').statement(
  'exports.listUnderWay',
  `SELECT x.environment_id AS "environmentId", x.id FROM exports x JOIN environments e ON e.id = x.environment_id
   WHERE x.status = 'pending' AND e.deleted_at IS NULL ORDER BY x.failures, x.created_at LIMIT 100`,
);

/** The number of parts decides between two workers at the same step: what the loser wrote is part of no file. */
const ADVANCE = scopedStatement(
  'exports.extend',
  `UPDATE exports SET parts = parts || $4::text, position = $5, rows = rows + $6, failures = 0,
     status = CASE WHEN $7 THEN 'completed' ELSE status END, completed_at = CASE WHEN $7 THEN now() END,
     started_at = coalesce(started_at, now())
   WHERE environment_id = $1 AND id = $2 AND cardinality(parts) = $3 AND status = 'pending'`,
);

const FAIL = scopedStatement(
  'exports.fail',
  `UPDATE exports SET failures = failures + 1, status = CASE WHEN failures + 1 >= $3 THEN 'failed' ELSE status END,
     error = CASE WHEN failures + 1 >= $3 THEN $4 END
   WHERE environment_id = $1 AND id = $2 AND status = 'pending'`,
);

const OPEN = scopedStatement(
  'exportDownloads.open',
  `INSERT INTO export_downloads (environment_id, token_hash, export_id, expires_at)
   VALUES ($1, $2, $3, now() + $4 * interval '1 second')`,
);

/** Of any number of fetches at once, one finds the row. */
const REDEEM = scopedStatement(
  'exportDownloads.redeem',
  `DELETE FROM export_downloads WHERE environment_id = $1 AND token_hash = $2 AND expires_at > now()
   RETURNING export_id AS "exportId"`,
);

export interface ExportStep {
  part: string;
  position: string;
  rows: number;
  isLast: boolean;
}

@Injectable()
export class ExportsRepository extends ScopedRepository<ExportRow> {
  constructor(database: Database) {
    super(database, ExportRow);
  }

  listUnderWay(): Promise<ExportUnderWay[]> {
    return this.database.rows<ExportUnderWay>(LIST_UNDER_WAY, []);
  }

  /** False when the export is gone, has ended, or another worker took the step. */
  async advance(environmentId: EnvironmentId, { id, parts }: ExportRow, step: ExportStep): Promise<boolean> {
    const { part, position, rows, isLast } = step;
    const values = [environmentId, id, parts.length, part, position, rows, isLast];
    return (await this.database.execute(ADVANCE, values)) === 1;
  }

  async fail(environmentId: EnvironmentId, id: string, most: number, error: string): Promise<void> {
    await this.database.execute(FAIL, [environmentId, id, most, error]);
  }

  async openDownload(
    environmentId: EnvironmentId,
    download: { tokenHash: Buffer; exportId: string; ttlSeconds: number },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(OPEN, [environmentId, download.tokenHash, download.exportId, download.ttlSeconds]);
  }

  /** The export that an address leads to, once. */
  async redeem(environmentId: EnvironmentId, tokenHash: Buffer): Promise<string | null> {
    const rows = await this.database.rows<{ exportId: string }>(REDEEM, [environmentId, tokenHash]);
    return rows[0]?.exportId ?? null;
  }
}
