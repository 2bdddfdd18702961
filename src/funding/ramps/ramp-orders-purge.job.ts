import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { RampOrder } from './ramp-order.entity.js';

/** Idempotency keys of orders are valid for a day, like others. */
@Injectable()
export class RampOrdersPurge extends PurgeJob {
  protected readonly name = 'ramp-orders.purge';
  protected readonly old = [oldRows(RampOrder, 'createdAt', { keptSeconds: 86_400 })];
}
