import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { SERVICE } from '../../organizations/index.js';
import { AccountsRepository } from '../accounts.repository.js';
import { billingSignatureRefused } from '../billing.errors.js';
import { ProviderEventsRepository } from './provider-events.repository.js';
import { StripeMirror } from './stripe-mirror.js';

/** Maximum age of a message; an intercepted signature is useless after that. */
const TOLERANCE_SECONDS = 300;

/** Stripe's reports: a payment succeeded or failed, or a plan or card was changed in the portal. */
@Injectable()
export class StripeMessages {
  constructor(
    private readonly stripe: Stripe,
    private readonly accounts: AccountsRepository,
    private readonly messages: ProviderEventsRepository,
    private readonly mirror: StripeMirror,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Resolves once the message is processed; after any error, Stripe sends it again. */
  async receive(bytes: Buffer, signature: string | undefined): Promise<void> {
    const event = this.verify(bytes, signature);
    if (await this.messages.isKnown(event.id)) return;
    const customerId = customerOf(event);
    const organizationId = customerId === null ? null : await this.accounts.findByCustomer(customerId);
    if (customerId === null || organizationId === null) return;
    await this.mirror.refresh(organizationId, customerId, {
      actor: SERVICE,
      also: (tx) => this.messages.remember(event.id, event.type, tx),
    });
  }

  private verify(bytes: Buffer, signature: string | undefined): Stripe.Event {
    const secret = this.config.get('STRIPE_WEBHOOK_SECRET') ?? '';
    const now = this.clock.timestamp();
    try {
      return this.stripe.webhooks.constructEvent(bytes, signature ?? '', secret, TOLERANCE_SECONDS, undefined, now);
    } catch (error) {
      throw billingSignatureRefused({ cause: error });
    }
  }
}

/** The customer a message is about. Nothing else in it is used, so its version does not matter. */
function customerOf({ data }: Stripe.Event): string | null {
  const { object, id, customer } = data.object as { object?: unknown; id?: unknown; customer?: unknown };
  if (object === 'customer') return typeof id === 'string' ? id : null;
  const named = customer !== null && typeof customer === 'object' ? (customer as { id?: unknown }).id : customer;
  return typeof named === 'string' ? named : null;
}
