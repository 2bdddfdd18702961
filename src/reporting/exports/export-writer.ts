import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { Envelope, type SealContext } from '../../vault/index.js';
import { csvLine } from './csv.js';
import type { ExportRow } from './export.entities.js';
import { ExportRecordsRepository, PAGE } from './export-records.repository.js';
import { ExportStorage, folderOf } from './storage/export-storage.js';
import { ExportsRepository, type ExportFile } from './exports.repository.js';

/** Consecutive failures before the export is abandoned. */
const FAILURE = { most: 5, error: 'The file could not be written.', pauseSeconds: 10 };

const contextOf = (environmentId: string, exportId: string, part: number): SealContext => ({
  purpose: 'export',
  environmentId,
  subjectId: exportId,
  kind: `part-${part}`,
});

/** Writes files part by part and reads them back. Only one part is in memory at a time, however long the file. */
@Injectable()
export class ExportWriter {
  constructor(
    private readonly exports: ExportsRepository,
    private readonly records: ExportRecordsRepository,
    private readonly storage: ExportStorage,
    private readonly envelope: Envelope,
  ) {}

  /** Writes the next part. @returns whether more of this export can be written now */
  async step(environmentId: EnvironmentId, id: string): Promise<boolean> {
    const row = await this.exports.find(environmentId, { id });
    if (row?.status !== 'pending') return false;
    try {
      return await this.write(environmentId, row);
    } catch (error) {
      await this.exports.fail(environmentId, id, FAILURE);
      throw error;
    }
  }

  /** The file as plaintext, part by part. @throws when a part is missing or was altered */
  async *read(row: ExportFile): AsyncGenerator<Buffer> {
    const folder = folderOf({ environmentId: row.environmentId, exportId: row.id });
    for (const [at, part] of row.parts.entries()) {
      const sealed = await this.storage.get(`${folder}/${part}`);
      if (!sealed) throw new Error(`Part ${at} of the export ${row.id} is missing.`);
      yield (await this.envelope.open(sealed, contextOf(row.environmentId, row.id, at))).expose();
    }
  }

  /** The name of a part is generated for each attempt, so that workers never overwrite each other's parts. */
  private async write(environmentId: EnvironmentId, row: ExportRow): Promise<boolean> {
    const records = await this.records.page(environmentId, row.model, row.position);
    const at = row.parts.length;
    const head = at === 0 ? csvLine(this.records.headOf(row.model)) : '';
    const text = Buffer.from(head + records.map(csvLine).join(''));
    const part = `${at}-${randomBytes(8).toString('hex')}`;
    const folder = folderOf({ environmentId: row.environmentId, exportId: row.id });
    await this.storage.put(`${folder}/${part}`, await this.envelope.seal(text, contextOf(environmentId, row.id, at)));
    const isLast = records.length < PAGE;
    const position = (records.at(-1)?.[0] as string | undefined) ?? row.position;
    const isOurs = await this.exports.advance(environmentId, row, { part, position, rows: records.length, isLast });
    if (!isOurs) await this.discard(environmentId, row.id, `${folder}/${part}`);
    return isOurs && !isLast;
  }

  /** An orphaned part may contain an erased person. For a deleted export, everything is removed. */
  private async discard(environmentId: EnvironmentId, id: string, part: string): Promise<void> {
    await this.storage.removePart(part);
    if (await this.exports.isWanted(environmentId, id)) return;
    await this.storage.remove(folderOf({ environmentId, exportId: id }));
  }
}
