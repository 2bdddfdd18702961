import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OidcVendor, text } from '../social-vendor.js';

/** https://developer.okta.com/docs/reference/api/oidc/. A customer's own directory, which can assert any address. */
export const okta: OidcVendor = {
  protocol: 'oidc',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'okta',
    required: ['clientId', 'domain'],
    publicFields: ['clientId', 'scopes', 'domain'],
    destination: ['clientId', 'domain'],
    scopesRefUrl: 'https://developer.okta.com/docs/api/oauth2/',
  }),
  issuer: 'https://{domain}',
  // A domain may name one of the custom authorization servers, whose issuer has a path.
  page: (issuer) => `${issuer}${new URL(issuer).pathname === '/' ? '/oauth2' : ''}/v1/authorize`,
  scopes: 'openid email profile',
  authentication: 'basic',
  mayTellLater: true,
  person: ({ sub, email, email_verified: verified, name, preferred_username: username }) => ({
    subject: text(sub)!,
    email: text(email),
    emailVerified: verified === true,
    displayName: text(name),
    username: text(username),
  }),
};
