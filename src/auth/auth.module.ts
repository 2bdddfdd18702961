import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access.guard.js';
import { AskedRoles } from './asked-roles.js';
import { DashboardGuard, EndUserGuard } from './bearer.guards.js';
import { DeclaredResults } from './declared-results.js';
import { OwnLimits } from './rate-limit/own-limits.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';

/** Authentication, rate limits and authorization. The guards are global: no route can opt out. */
@Global()
@Module({})
export class AuthModule {
  /** @param tenants a module that exports `TenantDirectory` */
  static forRoot(tenants: Type): DynamicModule {
    return {
      module: AuthModule,
      imports: [DiscoveryModule, PassportModule, tenants],
      providers: [
        EndUserGuard,
        DashboardGuard,
        AskedRoles,
        DeclaredResults,
        OwnLimits,
        RateLimiter,
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
      exports: [RateLimiter],
    };
  }
}
