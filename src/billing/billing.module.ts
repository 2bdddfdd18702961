import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsRepository } from './accounts.repository.js';
import { BillingAccounts } from './billing-accounts.js';
import { BillingController } from './billing.controller.js';
import { BillingProvider } from './billing-provider.js';
import { BillingService } from './billing.service.js';
import { BuiltInBilling } from './built-in-billing.js';
import { CouponBook } from './coupons/coupon-book.js';
import { CouponRow, RedemptionRow } from './coupons/coupon.entities.js';
import { CouponsRepository } from './coupons/coupons.repository.js';
import { ProviderEventRow } from './stripe/provider-event.entity.js';
import { SubscriptionRow } from './subscription.entity.js';
import { ActiveUserRow, UsageRow } from './usage.entities.js';

const ENTITIES = [SubscriptionRow, CouponRow, RedemptionRow, ProviderEventRow, ActiveUserRow, UsageRow];
const BOOKS = [AccountsRepository, BillingAccounts, CouponBook, CouponsRepository, BillingService];

/** What organizations subscribe to, and what of it they use. */
@Module({})
export class BillingModule {
  static forRoot(): DynamicModule {
    return {
      module: BillingModule,
      imports: [TypeOrmModule.forFeature(ENTITIES)],
      controllers: [BillingController],
      providers: [...BOOKS, { provide: BillingProvider, useClass: BuiltInBilling }],
      exports: [BillingProvider],
    };
  }
}
