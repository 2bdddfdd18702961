import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { Page } from '../../auth/index.js';
import type { RawRequest } from '../../common/http/raw-body.js';
import { StripeMessages } from './stripe-messages.service.js';

export const STRIPE_MESSAGES_PATH = 'billing/stripe/messages';

/** Webhook for Stripe. Authenticated only by the signature over the bytes. */
@Page()
@Controller(STRIPE_MESSAGES_PATH)
export class StripeMessagesController {
  constructor(private readonly messages: StripeMessages) {}

  @Post()
  @HttpCode(200)
  async receive(@Req() request: RawRequest): Promise<{ received: true }> {
    const signature = request.headers['stripe-signature'];
    await this.messages.receive(
      request.rawBody ?? Buffer.alloc(0),
      typeof signature === 'string' ? signature : undefined,
    );
    return { received: true };
  }
}
