import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { SERVICE } from '../../organizations/index.js';
import { AccountsRepository } from '../accounts.repository.js';
import { billingSignatureRefused } from '../billing.errors.js';
import { ProviderEventsRepository } from './provider-events.repository.js';
import { StripeMirror } from './stripe-mirror.js';
import { isStripeId } from './stripe-state.js';

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
    const { id, type, customerId } = readMessage(this.verify(bytes, signature));
    // Sent again, it would be the same.
    if (!isStripeId(id) || !isStripeId(type) || !isStripeId(customerId)) return;
    if (await this.messages.isKnown(id)) return;
    const organizationId = await this.accounts.findByCustomer(customerId);
    if (organizationId === null) return;
    await this.mirror.refresh(organizationId, customerId, {
      actor: SERVICE,
      also: (tx) => this.messages.remember(id, type, tx),
    });
  }

  /** Not `constructEvent`, which refuses thin messages as if their signature were wrong. */
  private verify(bytes: Buffer, signature: string | undefined): unknown {
    const secret = this.config.get('STRIPE_WEBHOOK_SECRET') ?? '';
    const now = this.clock.timestamp();
    const { webhooks } = this.stripe;
    try {
      webhooks.signature!.verifyHeader(bytes, signature ?? '', secret, TOLERANCE_SECONDS, undefined, now);
      return JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      throw billingSignatureRefused({ cause: error });
    }
  }
}

/** The customer a message is about. Nothing else in it is used, so its version does not matter. */
function readMessage(message: unknown): { id: unknown; type: unknown; customerId: unknown } {
  const { id, type, data } = asRecord(message);
  const { object, id: own, customer } = asRecord(asRecord(data)['object']);
  if (object === 'customer') return { id, type, customerId: own };
  return { id, type, customerId: typeof customer === 'string' ? customer : asRecord(customer)['id'] };
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
