import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { Session } from './session.entity.js';

/** The same as the retention of their events, unless configured otherwise, so that an investigation finds both. */
export const SESSION_KEPT_DAYS = 90;

/** Removes sessions that ended long ago. Their statistics are kept. */
@Injectable()
export class SessionsPurge extends PurgeJob {
  protected readonly name = 'sessions.purge';
  protected readonly old = [oldRows(Session, 'expiresAt', { keptSeconds: SESSION_KEPT_DAYS * 86_400 })];
  protected override readonly everyMs = 3_600_000;
}
