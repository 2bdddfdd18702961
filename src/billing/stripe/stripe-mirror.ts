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
  /** The discounts that the subscription certainly has. */
  discounts?: readonly string[];
  /** Runs in the transaction that stores the state. */
  also?: (tx: Transaction) => Promise<void>;
}

/**
 * Copies the state at Stripe to the account. Stripe is asked outside of any transaction, so responses may arrive out of
 * order; a ticket taken before each request tells which is newer. A message from Stripe only triggers a request: one
 * made after the last message sees the last state.
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
   * Coupons redeemed before the subscription existed were not sent, so the first call that sees it sends them. This
   * precedes storing the plan: after a failure the plan is still free, and the next call sends them.
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
      // A message about an upgrade may arrive before the upgrade call is done; it is still the owner's change.
      if (upgradeBy && plan !== 'advanced' && state.plan === 'advanced') return upgradeBy;
    });
  }

  /** A refusal would only be repeated, and must not keep a paying organization from its plan. */
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
