import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { CodeNetwork } from './code-network.entity.js';

/** For as long as this an owner who comes back from a network is known there. */
const KEPT_SECONDS = 180 * 86_400;

@Injectable()
export class CodeNetworksPurge extends PurgeJob {
  protected readonly name = 'code-networks.purge';
  protected readonly old = [oldRows(CodeNetwork, 'seenAt', { keptSeconds: KEPT_SECONDS })];
}
