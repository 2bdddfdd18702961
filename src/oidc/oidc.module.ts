import { Module } from '@nestjs/common';
import { CodeExchange } from './code-exchange.js';
import { IdTokens } from './id-tokens.js';
import { KeySets } from './key-sets.js';
import { OidcDiscovery } from './oidc-discovery.js';

/** An OpenID Connect client, for modules that sign users in with another service. */
@Module({
  providers: [OidcDiscovery, KeySets, IdTokens, CodeExchange],
  exports: [OidcDiscovery, KeySets, IdTokens, CodeExchange],
})
export class OidcModule {}
