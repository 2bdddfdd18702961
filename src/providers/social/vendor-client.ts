import type { Clock } from '../../common/clock.js';
import type { ClientAuthentication, OAuthClient } from '../../oidc/index.js';
import type { EnabledProvider } from '../settings/enabled-providers.js';
import type { OAuthVendor, OidcVendor } from './social-vendor.js';

type Where = Pick<OAuthClient, 'issuer' | 'authorizationEndpoint' | 'tokenEndpoint' | 'namesIssuerInAnswers'>;

/** A client for building the authorization URL only, which needs no secret. */
export const publicClient = (record: EnabledProvider, where: Where): OAuthClient => ({
  ...where,
  clientId: record.configuration.clientId ?? '',
  authentication: { kind: 'none' },
});

/** Our client at a vendor, with its secret for the duration of one call. */
export function withClient<T>(
  vendor: OidcVendor | OAuthVendor,
  record: EnabledProvider,
  where: Where,
  clock: Clock,
  call: (client: OAuthClient) => Promise<T>,
): Promise<T> {
  const { configuration } = record;
  return record.withSecret((secret) => {
    const authentication: ClientAuthentication =
      typeof vendor.authentication === 'string'
        ? { kind: vendor.authentication, secret }
        : vendor.authentication({ configuration, secret, now: clock.now() });
    return call({ ...publicClient(record, where), authentication });
  });
}

export const scopesOf = ({ configuration }: EnabledProvider, vendor: OidcVendor | OAuthVendor): string =>
  configuration.scopes ?? vendor.scopes;
