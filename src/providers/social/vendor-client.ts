import type { Clock } from '../../common/clock.js';
import type { ClientAuthentication, OAuthClient, SecretMethod } from '../../oidc/index.js';
import type { EnabledProvider } from '../settings/enabled-providers.js';
import type { OAuthVendor, OidcVendor } from './social-vendor.js';

/** The vendor's endpoints, and how it takes secrets if its discovery document says so. */
type Where = Pick<OAuthClient, 'issuer' | 'authorizationEndpoint' | 'tokenEndpoint' | 'namesIssuerInAnswers'> & {
  secretMethods?: readonly SecretMethod[] | null;
};

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
        ? { kind: methodAt(where, vendor.authentication), secret }
        : vendor.authentication({ configuration, secret, now: clock.now() });
    return call({ ...publicClient(record, where), authentication });
  });
}

/** The usual method, unless the vendor names methods and this is not among them. */
const methodAt = ({ secretMethods }: Where, usual: SecretMethod): SecretMethod =>
  secretMethods?.[0] !== undefined && !secretMethods.includes(usual) ? secretMethods[0] : usual;

export const scopesOf = ({ configuration }: EnabledProvider, vendor: OidcVendor | OAuthVendor): string =>
  configuration.scopes ?? vendor.scopes;
