import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { Session } from './session.entity.js';

/** As long as the events that told of them, unless set otherwise: whoever looks into a sign-in finds both. */
export const SESSION_KEPT_DAYS = 90;

/** Removes sessions that have long been over. What figures have of them stays. */
@Injectable()
export class SessionsPurge extends PurgeJob {
  protected readonly name = 'sessions.purge';
  protected readonly old = [oldRows(Session, 'expiresAt', { keptSeconds: SESSION_KEPT_DAYS * 86_400 })];
  protected override readonly everyMs = 3_600_000;
}
