import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { BadgeController } from './badge.controller.js';
import { Maintenance, MaintenanceGuard } from './maintenance.guard.js';
import { NormalForm } from './normal-form.pipe.js';
import { ServedBy } from './served-by.middleware.js';
import { ServerTiming } from './server-timing.interceptor.js';
import { VendorOutageFilter } from './vendor-outage.filter.js';

@Module({
  controllers: [BadgeController],
  providers: [
    Maintenance,
    { provide: APP_GUARD, useClass: MaintenanceGuard },
    { provide: APP_INTERCEPTOR, useClass: ServerTiming },
    { provide: APP_PIPE, useClass: NormalForm },
    { provide: APP_FILTER, useClass: VendorOutageFilter },
  ],
})
export class HouseRulesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(ServedBy).forRoutes('*path');
  }
}
