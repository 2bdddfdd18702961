import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { ExportDownload, ExportRow } from './export.entities.js';

/** Deletes exports a day after they were requested, and download URLs after five minutes. */
@Injectable()
export class ExportsPurge extends PurgeJob {
  protected readonly name = 'exports.purge';
  protected readonly old = [oldRows(ExportDownload, 'expiresAt'), oldRows(ExportRow, 'expiresAt')];
}
