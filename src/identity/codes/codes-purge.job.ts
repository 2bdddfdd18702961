import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { CodeDestination } from './code-destination.entity.js';
import { CodeNetwork } from './code-network.entity.js';

/** For as long as this an owner who comes back from a network is known there. */
const KEPT_SECONDS = 180 * 86_400;

/** Forgets the networks of an address, and then the address, whose waits have ended long before. */
@Injectable()
export class CodesPurge extends PurgeJob {
  protected readonly name = 'codes.purge';
  protected readonly old = [
    oldRows(CodeNetwork, 'seenAt', { keptSeconds: KEPT_SECONDS }),
    oldRows(CodeDestination, 'lastSentAt', { keptSeconds: KEPT_SECONDS }),
  ];
}
