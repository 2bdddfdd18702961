import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import {
  CodeExchange,
  IdTokens,
  OidcDiscovery,
  OidcError,
  UserInfo,
  type SecretMethod,
  type TokenSet,
} from '../../oidc/index.js';
import type { EnabledProvider } from '../settings/enabled-providers.js';
import { SocialAddresses } from './social-addresses.js';
import { failedAt } from './social.errors.js';
import { identityOf, keptOf, type SocialBegin, type SocialFinish, type SocialIdentity } from './social-identity.js';
import type { OidcVendor } from './social-vendor.js';
import { publicClient, scopesOf, withClient } from './vendor-client.js';

interface Where {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  jwksUri: string;
  userinfoEndpoint: string | null;
  algorithms: readonly string[];
  secretMethods: readonly SecretMethod[] | null;
  namesIssuerInAnswers: boolean;
}

/** OpenID Connect providers: a signed id token identifies the account, bound to this client and this attempt. */
@Injectable()
export class OidcAccounts {
  constructor(
    private readonly discovery: OidcDiscovery,
    private readonly exchange: CodeExchange,
    private readonly idTokens: IdTokens,
    private readonly userInfo: UserInfo,
    private readonly addresses: SocialAddresses,
    private readonly clock: Clock,
  ) {}

  async begin(vendor: OidcVendor, record: EnabledProvider, attempt: SocialBegin): Promise<string> {
    const where = await this.where(vendor, record).catch(failedAt(vendor.type.name));
    const scope = openIdFirst(scopesOf(record, vendor));
    return this.exchange.authorizationUrl(publicClient(record, where), { ...attempt, scope, extra: vendor.extra });
  }

  finish(vendor: OidcVendor, record: EnabledProvider, answer: SocialFinish): Promise<SocialIdentity> {
    return this.prove(vendor, record, answer).catch(failedAt(vendor.type.name));
  }

  async refresh(vendor: OidcVendor, record: EnabledProvider, token: string): Promise<ReturnType<typeof keptOf>> {
    const refreshed = this.where(vendor, record).then((where) =>
      withClient(vendor, record, where, this.clock, (client) => this.exchange.refresh(client, token)),
    );
    return keptOf(await refreshed.catch(failedAt(vendor.type.name)));
  }

  private async prove(vendor: OidcVendor, record: EnabledProvider, answer: SocialFinish): Promise<SocialIdentity> {
    const where = await this.where(vendor, record);
    const tokens = await withClient(vendor, record, where, this.clock, (client) =>
      this.exchange.exchange(client, answer),
    );
    if (tokens.idToken === null) throw new OidcError('id_token', 'there is none');
    const { clientId = '' } = record.configuration;
    const claims = await this.idTokens.verify(tokens.idToken, { ...where, clientId, nonce: answer.nonce });
    const isTold =
      typeof claims['email'] === 'string' ||
      !vendor.mayTellLater ||
      !scopesOf(record, vendor).split(' ').includes('email');
    return identityOf(vendor.person(isTold ? claims : await this.toldLater(claims, where, tokens)), tokens);
  }

  /** An address and whether it is verified are told together: neither is combined with the other of the id token. */
  private async toldLater(
    claims: Record<string, unknown>,
    { userinfoEndpoint }: Where,
    { accessToken }: TokenSet,
  ): Promise<Record<string, unknown>> {
    if (userinfoEndpoint === null) return claims;
    const told = await this.userInfo.read(userinfoEndpoint, accessToken, claims['sub']);
    return { ...told, ...claims, email: told['email'], email_verified: told['email_verified'] };
  }

  private async where(vendor: OidcVendor, { configuration, issuer: own }: EnabledProvider): Promise<Where> {
    const issuer = own ?? this.addresses.issuerToDiscover(vendor, configuration);
    if (issuer !== null) return this.discovery.recent(issuer);
    const { endpoints } = vendor;
    if (!endpoints) throw new OidcError('unreachable', 'the provider has no address');
    const { authorize, token, jwks, algorithms } = endpoints;
    return {
      issuer: vendor.issuer,
      authorizationEndpoint: authorize,
      tokenEndpoint: token,
      jwksUri: jwks,
      userinfoEndpoint: null,
      algorithms,
      secretMethods: null,
      namesIssuerInAnswers: false,
    };
  }
}

/** Without this scope, the request is plain OAuth and returns no id token (OpenID Connect Core 1.0 section 3.1.2.1). */
const openIdFirst = (scopes: string): string =>
  scopes.split(' ').includes('openid') ? scopes : `openid ${scopes}`.trim();
