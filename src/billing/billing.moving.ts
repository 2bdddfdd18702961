import { Injectable } from '@nestjs/common';
import { MovingPart, stays } from '../moving/index.js';
import { RedemptionRow } from './coupons/coupon.entities.js';
import { SubscriptionRow } from './subscription.entity.js';
import { ActiveUserRow, UsageRow } from './usage.entities.js';

@Injectable()
export class BillingMoving extends MovingPart {
  readonly moving = [];
  readonly staying = [
    ...stays('who uses this installation is what is paid for here', ActiveUserRow, UsageRow),
    ...stays('an agreement with whoever runs this installation', SubscriptionRow, RedemptionRow),
  ];
}
