import { Module } from '@nestjs/common';
import { CodeExchange } from './code-exchange.js';
import { IdTokens } from './id-tokens.js';
import { KeySets } from './key-sets.js';
import { OidcDiscovery } from './oidc-discovery.js';
import { UserInfo } from './user-info.js';

/** An OpenID Connect client, for modules that sign users in with another service. */
@Module({
  providers: [OidcDiscovery, KeySets, IdTokens, CodeExchange, UserInfo],
  exports: [OidcDiscovery, KeySets, IdTokens, CodeExchange, UserInfo],
})
export class OidcModule {}
