import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { isUuid, newId } from '../../common/ids.js';
import { Config } from '../../config/index.js';
import { UnitOfWork, type EnvironmentId, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { JobQueue } from '../../queue/index.js';
import type { Export, ExportCreateRequest, ExportModel } from './export.dto.js';
import type { ExportRow } from './export.entities.js';
import { downloadOver, exportNotReady, MOST_EXPORTS, tooManyExports } from './export.errors.js';
import { EXPORT_CREATED } from './export.events.js';
import { EXPORT_BELL } from './exports.job.js';
import { ExportsRepository, type ExportFile } from './exports.repository.js';

export const DOWNLOAD_SECONDS = 300;
const TOKEN_BYTES = 32;
export const DOWNLOADS_PATH = 'exports/downloads';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Export files of users and visits: creation, status and download. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly exports: ExportsRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly queue: JobQueue,
    private readonly config: Config,
  ) {}

  /** @throws too_many_exports */
  async create(environmentId: EnvironmentId, request: ExportCreateRequest, actor: Actor, work: Work): Promise<Export> {
    return work.run(async (tx) => {
      const row = await this.exports.insertIfRoom(MOST_EXPORTS, environmentId, { id: newId(), ...request }, tx);
      if (!row) throw tooManyExports();
      const after = this.shown(row);
      const change = { event: EXPORT_CREATED, resource: { type: 'export', id: row.id }, before: null, after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      tx.afterCommit(() => this.queue.ring(EXPORT_BELL));
      return after;
    });
  }

  async list(environmentId: EnvironmentId, model?: ExportModel): Promise<{ exports: Export[] }> {
    const where = model === undefined ? {} : { model };
    const order = { orderBy: 'id', descending: true, limit: MOST_EXPORTS } as const;
    const rows = await this.exports.list(environmentId, where, order);
    return { exports: rows.map((row) => this.shown(row)) };
  }

  async get(environmentId: EnvironmentId, id: string): Promise<Export> {
    return this.shown(await this.find(environmentId, id));
  }

  /** Creates a single-use download URL and records who requested it. @throws export_not_ready, not_found */
  async openDownload(environmentId: EnvironmentId, id: string, actor: Actor): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await this.work.run(async (tx) => {
      const download = { tokenHash: hashOf(token), exportId: id, ttlSeconds: DOWNLOAD_SECONDS };
      const isOpen = await this.exports.openDownload(environmentId, download, tx);
      if (!isOpen) throw (await this.exports.find(environmentId, { id }, tx)) ? exportNotReady() : notFound();
      const resource = { type: 'export', id };
      this.changes.note({ scope: { environmentId }, actor, action: 'export.downloaded', resource }, tx);
    });
    return `${this.config.publicUrl}/${DOWNLOADS_PATH}/${environmentId}/${token}`;
  }

  /** Redeems a single-use URL for its file. @throws export_download_over */
  async redeem(environment: string, token: string): Promise<ExportFile> {
    const file = isUuid(environment) ? await this.exports.redeem(environment, hashOf(token)) : null;
    if (!file) throw downloadOver();
    return file;
  }

  private async find(environmentId: EnvironmentId, id: string): Promise<ExportRow> {
    const row = await this.exports.find(environmentId, { id });
    if (!row) throw notFound();
    return row;
  }

  private shown({ id, format, model, status, createdAt, ...row }: ExportRow): Export {
    const path = `${this.config.publicUrl}/api/v0/environments/${row.environmentId}/exports/${id}/download`;
    return {
      ...{ id, format, model, status, createdAt, rows: row.rows },
      ...{ startedAt: row.startedAt, completedAt: row.completedAt },
      ...(status === 'completed' && { downloadUrl: path }),
      ...(row.error !== null && { error: row.error }),
    };
  }
}
