import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access.guard.js';
import { DashboardGuard, EndUserGuard } from './bearer.guards.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';

/** Who is calling, how often, and what they may touch. The guards are global: no route can leave them out. */
@Global()
@Module({
  imports: [PassportModule],
  providers: [
    EndUserGuard,
    DashboardGuard,
    RateLimiter,
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [RateLimiter],
})
export class AuthModule {}
