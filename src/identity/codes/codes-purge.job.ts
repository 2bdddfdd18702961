import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { CodeDestination } from './code-destination.entity.js';
import { CodeNetwork } from './code-network.entity.js';

/** How long a network stays known as the owner's. */
const KEPT_SECONDS = 180 * 86_400;

/** Removes an address's networks, and then the address, whose waits have ended long before. */
@Injectable()
export class CodesPurge extends PurgeJob {
  protected readonly name = 'codes.purge';
  protected readonly old = [
    oldRows(CodeNetwork, 'seenAt', { keptSeconds: KEPT_SECONDS }),
    oldRows(CodeDestination, 'lastSentAt', { keptSeconds: KEPT_SECONDS }),
  ];
}
