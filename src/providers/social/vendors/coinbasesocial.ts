import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, object, text } from '../social-vendor.js';

/** https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/integrations */
export const coinbasesocial: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'coinbasesocial',
    scopesRefUrl: 'https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/scopes',
  }),
  addresses: {
    authorize: 'https://login.coinbase.com/oauth2/auth',
    token: 'https://login.coinbase.com/oauth2/token',
    profile: 'https://api.coinbase.com/v2/user',
  },
  scopes: 'wallet:user:read wallet:user:email',
  authentication: 'post',
  person: ({ data }) => {
    const { id, name, username, email, avatar_url: photo } = object(data);
    return {
      subject: text(id)!,
      email: text(email),
      displayName: text(name),
      username: text(username),
      photo: text(photo),
    };
  },
};
