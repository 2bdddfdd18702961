import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OidcVendor, text } from '../social-vendor.js';

const LOGIN = 'https://login.microsoftonline.com';

/**
 * https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc. Each directory is a separate issuer, and its
 * administrator can set `email` freely, so it is never trusted.
 */
export const microsoft: OidcVendor = {
  protocol: 'oidc',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'microsoft',
    scopesRefUrl: 'https://learn.microsoft.com/entra/identity-platform/scopes-oidc',
  }),
  issuer: `${LOGIN}/{tenantid}/v2.0`,
  endpoints: {
    authorize: `${LOGIN}/common/oauth2/v2.0/authorize`,
    token: `${LOGIN}/common/oauth2/v2.0/token`,
    jwks: `${LOGIN}/common/discovery/v2.0/keys`,
    algorithms: ['RS256'],
  },
  scopes: 'openid email profile',
  authentication: 'post',
  person: ({ tid, sub, email, name, preferred_username: username }) => ({
    subject: [text(tid), text(sub)].filter(Boolean).join('.'),
    email: text(email),
    emailVerified: false,
    displayName: text(name),
    username: text(username),
  }),
};
