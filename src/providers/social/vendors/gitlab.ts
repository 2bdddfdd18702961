import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OidcVendor, text } from '../social-vendor.js';

/** https://docs.gitlab.com/integration/openid_connect_provider/ */
export const gitlab: OidcVendor = {
  protocol: 'oidc',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'gitlab',
    scopesRefUrl: 'https://docs.gitlab.com/integration/oauth_provider/#view-all-authorized-applications',
  }),
  issuer: 'https://gitlab.com',
  page: (issuer) => `${issuer}/oauth/authorize`,
  scopes: 'openid email profile',
  authentication: 'post',
  person: ({ sub, email, email_verified: verified, name, preferred_username: username, nickname, picture }) => ({
    subject: text(sub)!,
    email: text(email),
    emailVerified: verified === true,
    displayName: text(name),
    username: text(username) ?? text(nickname),
    photo: text(picture),
  }),
};
