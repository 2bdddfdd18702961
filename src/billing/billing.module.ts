import { Inject, Module, Optional, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { rawBody } from '../common/http/raw-body.js';
import type { OutboundHttp } from '../outbound/index.js';
import type { Config } from '../config/index.js';
import { MovingModule } from '../moving/index.js';
import { ObservabilityModule } from '../observability/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { AccountsRepository } from './accounts.repository.js';
import { BillingAccounts } from './billing-accounts.js';
import { BillingController } from './billing.controller.js';
import { BillingProvider } from './billing-provider.js';
import { BillingService } from './billing.service.js';
import { BuiltInBilling } from './built-in-billing.js';
import { CouponBook } from './coupons/coupon-book.js';
import { CouponRow, RedemptionRow } from './coupons/coupon.entities.js';
import { CouponsRepository } from './coupons/coupons.repository.js';
import { BillingMerging } from './billing.merging.js';
import { BillingMoving } from './billing.moving.js';
import { ProviderEventRow } from './stripe/provider-event.entity.js';
import { STRIPE_MESSAGES_PATH, StripeMessagesController } from './stripe/stripe-messages.controller.js';
import { STRIPE_DOOR, STRIPE_PROVIDERS } from './stripe/stripe.parts.js';
import { SubscriptionRow } from './subscription.entity.js';
import { ActiveUserRow, UsageRow } from './usage.entities.js';

const ENTITIES = [SubscriptionRow, CouponRow, RedemptionRow, ProviderEventRow, ActiveUserRow, UsageRow];
const BOOKS = [AccountsRepository, BillingAccounts, CouponBook, CouponsRepository, BillingService];
const BUILT_IN = [{ provide: BillingProvider, useClass: BuiltInBilling }];

/** Organizations' subscriptions and usage. */
@Module({})
export class BillingModule implements OnApplicationShutdown {
  constructor(
    host: HttpAdapterHost,
    @Optional() @Inject(STRIPE_DOOR) private readonly door: OutboundHttp | null,
  ) {
    // Registered here, before the application adds its JSON parser, which would consume the bytes.
    if (door) host.httpAdapter.use(`/${STRIPE_MESSAGES_PATH}`, ...rawBody());
  }

  static forRoot(config: Config): DynamicModule {
    const usesStripe = config.get('STRIPE_SECRET_KEY') !== null;
    return {
      module: BillingModule,
      imports: [MovingModule, TypeOrmModule.forFeature(ENTITIES), ObservabilityModule, OrganizationsModule],
      controllers: [BillingController, ...(usesStripe ? [StripeMessagesController] : [])],
      providers: [BillingMerging, BillingMoving, ...BOOKS, ...(usesStripe ? STRIPE_PROVIDERS : BUILT_IN)],
      exports: [BillingProvider],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.door?.close();
  }
}
