import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import { Clock } from '../common/clock.js';
import type { Actor } from '../organizations/index.js';
import { BillingProvider } from './billing-provider.js';
import { shownSubscription } from './shown-subscription.js';
import type { OrganizationSubscription } from './subscription.dto.js';

/** The subscription of an organization; every change returns the resulting state. */
@Injectable()
export class BillingService {
  constructor(
    private readonly provider: BillingProvider,
    private readonly clock: Clock,
  ) {}

  async get(organizationId: OrganizationId): Promise<OrganizationSubscription> {
    const account = await this.provider.read(organizationId);
    return shownSubscription(account, this.clock.now(), await this.provider.links(account));
  }

  async redeem(organizationId: OrganizationId, coupon: string, actor: Actor): Promise<OrganizationSubscription> {
    await this.provider.redeem(organizationId, coupon, actor);
    return this.get(organizationId);
  }

  async upgrade(organizationId: OrganizationId, actor: Actor): Promise<OrganizationSubscription> {
    await this.provider.upgrade(organizationId, actor);
    return this.get(organizationId);
  }
}
