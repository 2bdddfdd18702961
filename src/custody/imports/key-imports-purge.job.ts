import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { KeyImportRow } from './key-import.entity.js';

/** Removes expired imports. */
@Injectable()
export class KeyImportsPurge extends PurgeJob {
  protected readonly name = 'keyImports.purge';
  protected readonly old = [oldRows(KeyImportRow, 'expiresAt')];
}
