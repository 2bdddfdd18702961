import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { InviteRow } from './invite.entity.js';

/** How long an invite, answered or not, is kept after it would have expired. */
export const INVITE_KEPT_DAYS = 90;

/** Removes old invites, each of which holds an address. */
@Injectable()
export class InvitesPurge extends PurgeJob {
  protected readonly name = 'invites.purge';
  protected readonly old = [oldRows(InviteRow, 'expiresAt', { keptSeconds: INVITE_KEPT_DAYS * 86_400 })];
  protected override readonly everyMs = 3_600_000;
}
