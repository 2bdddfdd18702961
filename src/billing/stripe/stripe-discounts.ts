import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { CouponsRepository } from '../coupons/coupons.repository.js';
import { StripeGateway } from './stripe-gateway.js';

/** If coupons are redeemed while others are being sent, the list is sent again, this often at most. */
const MAX_ROUNDS = 5;

/** Sends redeemed coupons that discount payments to the subscription at Stripe, if there is one. */
@Injectable()
export class StripeDiscounts {
  constructor(
    private readonly coupons: CouponsRepository,
    private readonly gateway: StripeGateway,
  ) {}

  /**
   * Stripe takes the whole list, so it is sent until no coupon was redeemed meanwhile.
   * @param known coupons the subscription certainly has; redemptions are never undone, so it has no others
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
