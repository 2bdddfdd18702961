import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, object, text } from '../social-vendor.js';

/** https://docs.kraken.com/api/docs/guides/oauth-overview */
export const kraken: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'kraken',
    scopesRefUrl: 'https://docs.kraken.com/api/docs/guides/oauth-overview',
  }),
  addresses: {
    authorize: 'https://id.kraken.com/oauth/authorize',
    token: 'https://api.kraken.com/oauth/token',
    profile: 'https://api.kraken.com/oauth/userinfo',
  },
  scopes: 'account.info:basic',
  authentication: 'basic',
  person: ({ sub, email, email_verified: verified, name, result }) => {
    const inner = object(result);
    return {
      subject: (text(sub) ?? text(inner['sub']) ?? text(inner['iiban']))!,
      email: text(email) ?? text(inner['email']),
      emailVerified: verified === true,
      displayName: text(name),
    };
  },
};
