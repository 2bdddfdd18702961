import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, object, text } from '../social-vendor.js';

/** https://developers.tiktok.com/doc/oauth-user-access-token-management */
export const tiktok: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'tiktok',
    scopesRefUrl: 'https://developers.tiktok.com/doc/tiktok-api-scopes',
  }),
  addresses: {
    authorize: 'https://www.tiktok.com/v2/auth/authorize/',
    token: 'https://open.tiktokapis.com/v2/oauth/token/',
    profile: 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name,avatar_url',
  },
  scopes: 'user.info.basic',
  authentication: ({ configuration: { clientId = '' }, secret }) => ({
    kind: 'form',
    fields: { client_key: clientId, client_secret: secret },
  }),
  clientIdParameter: 'client_key',
  person: ({ data }) => {
    const { open_id: id, display_name: displayName, avatar_url: photo } = object(object(data)['user']);
    return { subject: text(id)!, displayName: text(displayName), photo: text(photo) };
  },
};
