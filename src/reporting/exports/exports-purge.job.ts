import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { ExportDownload, ExportRow } from './export.entities.js';

/** Forgets exports a day after they were asked for, and addresses when their five minutes are over. */
@Injectable()
export class ExportsPurge extends PurgeJob {
  protected readonly name = 'exports.purge';
  protected readonly old = [oldRows(ExportDownload, 'expiresAt'), oldRows(ExportRow, 'expiresAt')];
}
