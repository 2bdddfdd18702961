import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { CeremonyRoom } from './room.entity.js';

/** Removes rooms once aborted ones no longer count. */
@Injectable()
export class RoomsPurge extends PurgeJob {
  protected readonly name = 'ceremonyRooms.purge';
  protected readonly old = [oldRows(CeremonyRoom, 'expiresAt', { keptSeconds: 7_200 })];
}
