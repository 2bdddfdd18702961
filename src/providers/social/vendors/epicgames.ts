import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, text } from '../social-vendor.js';

/** https://dev.epicgames.com/docs/web-api-ref/authentication */
export const epicgames: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'epicgames',
    scopesRefUrl: 'https://dev.epicgames.com/docs/epic-account-services/data-privacy-visibility',
  }),
  addresses: {
    authorize: 'https://www.epicgames.com/id/authorize',
    token: 'https://api.epicgames.dev/epic/oauth/v2/token',
    profile: 'https://api.epicgames.dev/epic/oauth/v2/userInfo',
  },
  scopes: 'basic_profile',
  authentication: 'basic',
  // The vendor does not disclose email addresses.
  person: ({ sub, preferred_username: username }) => ({
    subject: text(sub)!,
    displayName: text(username),
    username: text(username),
  }),
};
