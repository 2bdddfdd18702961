import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AccessControlModule } from './access-control/index.js';
import { AuthModule } from './auth/index.js';
import { BillingModule } from './billing/index.js';
import { ERROR_PAGES, ERROR_TRANSLATORS, ERROR_VIEW, ErrorFilter } from './common/http/error.filter.js';
import { validationPipe } from './common/http/validation.pipe.js';
import { EgressPolicy, OutboundModule } from './outbound/index.js';
import { ConfigModule, type Config } from './config/index.js';
import { DatabaseModule, translateDatabaseError } from './database/index.js';
import { DevModule } from './dev/index.js';
import { EnvironmentsModule } from './environments/index.js';
import { FundingModule } from './funding/index.js';
import { HealthModule } from './health/index.js';
import { IdempotencyModule } from './idempotency/index.js';
import { IdentityModule } from './identity/index.js';
import { DocsModule, ErrorPagesModule } from './openapi/index.js';
import { NetworksModule } from './networks/index.js';
import { ObservabilityModule } from './observability/index.js';
import { OrganizationsModule } from './organizations/index.js';
import { errorView } from './pages/index.js';
import { ProvidersModule } from './providers/index.js';
import { QueueModule } from './queue/index.js';
import { ReportingModule } from './reporting/index.js';
import { translateVaultError, VaultModule, type KeyVault, type SignerCalls } from './vault/index.js';
import { WaasModule } from './waas/index.js';
import { WalletsModule } from './wallets/index.js';
import { WebhooksModule } from './webhooks/index.js';

/** What the application needs before it starts: the settings and the vault that protects its secrets. */
export interface AppParts {
  config: Config;
  vault: KeyVault;
  /** The process that decrypts wallet secrets; without it, this one does. */
  signer?: SignerCalls | null;
  /** Additional modules, such as those of a test. */
  extensions?: ModuleMetadata['imports'];
}

/** The composition root: the contexts, in dependency order, and what applies to every route. */
@Module({})
export class AppModule {
  static forRoot({ config, vault, signer = null, extensions = [] }: AppParts): DynamicModule {
    const development = config.isProduction ? [] : [DevModule];
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forRoot(config),
        QueueModule.forRoot(config),
        VaultModule.forRoot(vault, signer),
        OutboundModule.forRoot(egressPolicy(config)),
        AuthModule.forRoot(OrganizationsModule),
        IdempotencyModule,
        ObservabilityModule,
        OrganizationsModule,
        EnvironmentsModule,
        NetworksModule,
        ProvidersModule,
        IdentityModule,
        WalletsModule,
        WaasModule,
        AccessControlModule,
        FundingModule,
        WebhooksModule,
        BillingModule.forRoot(config),
        ReportingModule,
        HealthModule,
        ErrorPagesModule,
        ...(config.get('API_DOCS') ? [DocsModule.forRoot([OrganizationsModule, ...development])] : []),
        ...development,
        ...extensions,
      ],
      providers: [
        { provide: ERROR_TRANSLATORS, useValue: [translateDatabaseError, translateVaultError] },
        { provide: ERROR_PAGES, useValue: `${config.publicUrl}/docs/errors` },
        { provide: ERROR_VIEW, useValue: errorView },
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useFactory: validationPipe },
      ],
    };
  }
}

/** Plain http and IP literals are allowed in development, where the other side is often this machine. */
const egressPolicy = (config: Config): EgressPolicy =>
  new EgressPolicy(config.egressAllow, { allowHttp: !config.isProduction, allowIpLiterals: !config.isProduction });
