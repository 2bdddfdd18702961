import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { CouponsRepository } from '../coupons/coupons.repository.js';
import { StripeGateway } from './stripe-gateway.js';

/** Coupons that come while others are being sent are sent again with them; more often than this nobody redeems. */
const MAX_ROUNDS = 5;

/** Brings redeemed coupons that take something off payments to the subscription at Stripe, where there is one. */
@Injectable()
export class StripeDiscounts {
  constructor(
    private readonly coupons: CouponsRepository,
    private readonly gateway: StripeGateway,
  ) {}

  /**
   * Stripe takes the whole list, so it is sent until nothing was redeemed while it was under way.
   * @param known what the subscription has for certain; no redemption is ever taken back, so nothing else is missing
   */
  async send(organizationId: OrganizationId, customerId: string, known: readonly string[] = []): Promise<void> {
    let sent = known;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const redeemed = await this.coupons.listDiscounts(organizationId);
      if (redeemed.join() === sent.join()) return;
      const { live } = await this.gateway.find(customerId);
      if (!live) return;
      await this.gateway.setDiscounts(live.id, redeemed);
      sent = redeemed;
    }
  }
}
