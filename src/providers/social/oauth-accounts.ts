import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { CodeExchange, OidcError, type TokenSet } from '../../oidc/index.js';
import { OutboundError, OutboundHttp } from '../../outbound/index.js';
import type { EnabledProvider } from '../settings/enabled-providers.js';
import { SocialAddresses } from './social-addresses.js';
import { failedAt } from './social.errors.js';
import { identityOf, keptOf, type SocialBegin, type SocialFinish, type SocialIdentity } from './social-identity.js';
import { object, type OAuthVendor } from './social-vendor.js';
import { publicClient, scopesOf, withClient } from './vendor-client.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

function orUntold(error: unknown): null {
  if (error instanceof OutboundError) return null;
  throw error;
}

/** Plain OAuth 2.0 providers: the account is read from the provider with the access token. */
@Injectable()
export class OAuthAccounts {
  constructor(
    private readonly exchange: CodeExchange,
    private readonly http: OutboundHttp,
    private readonly addresses: SocialAddresses,
    private readonly clock: Clock,
  ) {}

  begin(vendor: OAuthVendor, record: EnabledProvider, attempt: SocialBegin): string {
    const { redirectUri, state, codeChallenge } = attempt;
    const client = publicClient(record, this.where(vendor, record));
    const url = new URL(
      this.exchange.authorizationUrl(client, {
        redirectUri,
        state,
        codeChallenge: vendor.pkce === false ? null : codeChallenge,
        nonce: null,
        scope: scopesOf(record, vendor),
        extra: vendor.extra,
      }),
    );
    if (vendor.clientIdParameter) {
      url.searchParams.delete('client_id');
      url.searchParams.set(vendor.clientIdParameter, client.clientId);
    }
    return url.href;
  }

  finish(vendor: OAuthVendor, record: EnabledProvider, answer: SocialFinish): Promise<SocialIdentity> {
    return this.prove(vendor, record, answer).catch(failedAt(vendor.type.name));
  }

  async refresh(vendor: OAuthVendor, record: EnabledProvider, token: string): Promise<ReturnType<typeof keptOf>> {
    const where = this.where(vendor, record);
    const refreshed = withClient(vendor, record, where, this.clock, (client) => this.exchange.refresh(client, token));
    return keptOf(await refreshed.catch(failedAt(vendor.type.name)));
  }

  private async prove(vendor: OAuthVendor, record: EnabledProvider, answer: SocialFinish): Promise<SocialIdentity> {
    const { code, redirectUri, iss, codeVerifier } = answer;
    const grant = { code, redirectUri, iss, codeVerifier: vendor.pkce === false ? null : codeVerifier };
    const tokens = await withClient(vendor, record, this.where(vendor, record), this.clock, (client) =>
      this.exchange.exchange(client, grant),
    );
    const { configuration } = record;
    const addresses = this.addresses.of(vendor, configuration);
    const headers = vendor.headers?.(configuration) ?? {};
    const get = (url: string): Promise<unknown> => this.get(url, tokens, headers);
    const profile = addresses.profile === '' ? {} : await get(addresses.profile);
    if (profile === null) throw new OidcError('refused', 'the provider did not show the profile');
    // Who signed in is known by now: what else the provider was to say is untold, as after an error status.
    const getMore = (url: string): Promise<unknown> => get(url).catch(orUntold);
    const person = await vendor.person(object(profile), { configuration, tokens, addresses, get: getMore });
    return identityOf(person, tokens);
  }

  private async get(url: string, { accessToken }: TokenSet, headers: Record<string, string>): Promise<unknown> {
    const answer = await this.http.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}`, ...headers },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    if (answer.status !== 200 || answer.truncated) return null;
    try {
      return JSON.parse(answer.body.toString('utf8')) as unknown;
    } catch {
      return null;
    }
  }

  /** These providers have no issuer; the authorization endpoint takes its place. */
  private where(vendor: OAuthVendor, { configuration }: EnabledProvider) {
    const { authorize, token } = this.addresses.of(vendor, configuration);
    return { issuer: new URL(authorize).origin, authorizationEndpoint: authorize, tokenEndpoint: token };
  }
}
