import { Injectable, Logger } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { AccountsRepository } from '../accounts.repository.js';
import { BillingAccounts } from '../billing-accounts.js';
import { SUBSCRIPTION_UPDATED } from '../billing.events.js';
import { StripeDiscounts } from './stripe-discounts.js';
import { RefusedByStripe, StripeGateway, stripeUnavailable } from './stripe-gateway.js';

interface Refresh {
  actor: Actor;
  /** What the subscription has for certain. */
  discounts?: readonly string[];
  /** Commits with the state. */
  also?: (tx: Transaction) => Promise<void>;
}

/**
 * Brings the state at Stripe into the account. Stripe is asked outside of any transaction, so answers may come in
 * another order than questions; a ticket taken before each question tells which is newer. A message of Stripe is a
 * reason to ask, never the answer: whoever asks after the last message sees the last state, whatever came before.
 */
@Injectable()
export class StripeMirror {
  private readonly log = new Logger('Billing');

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly book: BillingAccounts,
    private readonly discounts: StripeDiscounts,
    private readonly gateway: StripeGateway,
  ) {}

  /**
   * Whoever redeemed a coupon before the subscription was made found none, so whoever first hears of it sends the
   * coupons. That comes before the plan is stored: after a failure the plan is free still, and the next one sends them.
   */
  async refresh(
    organizationId: OrganizationId,
    customerId: string,
    { actor, discounts = [], also }: Refresh,
  ): Promise<void> {
    const ticket = await this.accounts.takeTicket(organizationId);
    const state = await this.gateway.find(customerId);
    const isNew = state.live !== null && (await this.book.read(organizationId)).plan === 'free';
    if (isNew) await this.sendDiscounts(organizationId, customerId, discounts);
    await this.book.change(organizationId, { event: SUBSCRIPTION_UPDATED, actor }, async ({ plan, upgradeBy }, tx) => {
      await this.accounts.mirror(organizationId, ticket, state, tx);
      await also?.(tx);
      // A message about an upgrade may be quicker than the upgrade; it is still the owner's.
      if (upgradeBy && plan !== 'advanced' && state.plan === 'advanced') return upgradeBy;
    });
  }

  /** A refusal would be repeated, and does not keep the plan from whoever pays for it. */
  private async sendDiscounts(
    organizationId: OrganizationId,
    customerId: string,
    known: readonly string[],
  ): Promise<void> {
    try {
      await this.discounts.send(organizationId, customerId, known);
    } catch (error) {
      if (!(error instanceof RefusedByStripe)) throw error;
      if (error.isBusy) throw stripeUnavailable(error);
      this.log.error(`Stripe refused the coupons: organization=${organizationId} code=${error.code ?? '-'}`);
    }
  }
}
