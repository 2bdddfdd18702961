import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { AccountsRepository } from '../accounts.repository.js';
import { BillingAccounts } from '../billing-accounts.js';
import { SUBSCRIPTION_UPDATED } from '../billing.events.js';
import { StripeGateway } from './stripe-gateway.js';

/**
 * Brings the state at Stripe into the account. Stripe is asked outside of any transaction, so answers may come in
 * another order than questions; a ticket taken before each question tells which is newer. A message of Stripe is a
 * reason to ask, never the answer: whoever asks after the last message sees the last state, whatever came before.
 */
@Injectable()
export class StripeMirror {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly book: BillingAccounts,
    private readonly gateway: StripeGateway,
  ) {}

  /** @param also commits with the state */
  async refresh(
    organizationId: OrganizationId,
    customerId: string,
    actor: Actor,
    also?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const ticket = await this.accounts.takeTicket(organizationId);
    const state = await this.gateway.find(customerId);
    await this.book.change(organizationId, { event: SUBSCRIPTION_UPDATED, actor }, async ({ plan, upgradeBy }, tx) => {
      await this.accounts.mirror(organizationId, ticket, state, tx);
      await also?.(tx);
      // A message about an upgrade may be quicker than the upgrade; it is still the owner's.
      if (upgradeBy && plan !== 'advanced' && state.plan === 'advanced') return upgradeBy;
    });
  }
}
