import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, text } from '../social-vendor.js';

/** https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login */
export const instagram: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'instagram',
    scopesRefUrl:
      'https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login',
  }),
  addresses: {
    authorize: 'https://www.instagram.com/oauth/authorize',
    token: 'https://api.instagram.com/oauth/access_token',
    profile: 'https://graph.instagram.com/me?fields=user_id,username,name,profile_picture_url',
  },
  scopes: 'instagram_business_basic',
  authentication: 'post',
  person: ({ user_id: id, username, name, profile_picture_url: photo }) => ({
    subject: text(id)!,
    displayName: text(name),
    username: text(username),
    photo: text(photo),
  }),
};
