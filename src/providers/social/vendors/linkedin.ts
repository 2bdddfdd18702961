import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, text } from '../social-vendor.js';

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
export const linkedin: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'linkedin',
    scopesRefUrl: 'https://learn.microsoft.com/linkedin/shared/authentication/permissions',
  }),
  addresses: {
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    profile: 'https://api.linkedin.com/v2/userinfo',
  },
  scopes: 'openid profile email',
  authentication: 'post',
  // PKCE is for its native clients only, and its id tokens carry no nonce, so the profile is read instead.
  pkce: false,
  person: ({ sub, email, email_verified: verified, name, picture }) => ({
    subject: text(sub)!,
    email: text(email),
    emailVerified: verified === true || verified === 'true',
    displayName: text(name),
    photo: text(picture),
  }),
};
