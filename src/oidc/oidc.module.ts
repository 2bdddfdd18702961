import { Module } from '@nestjs/common';
import { CodeExchange } from './code-exchange.js';
import { IdTokens } from './id-tokens.js';
import { KeySets } from './key-sets.js';
import { OidcDiscovery } from './oidc-discovery.js';

/** OpenID Connect as a client speaks it: whoever signs people in with another service imports this. */
@Module({
  providers: [OidcDiscovery, KeySets, IdTokens, CodeExchange],
  exports: [OidcDiscovery, KeySets, IdTokens, CodeExchange],
})
export class OidcModule {}
