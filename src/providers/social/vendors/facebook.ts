import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, object, text } from '../social-vendor.js';

/** https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow */
export const facebook: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'facebook',
    scopesRefUrl: 'https://developers.facebook.com/docs/permissions',
  }),
  addresses: {
    authorize: 'https://www.facebook.com/v23.0/dialog/oauth',
    token: 'https://graph.facebook.com/v23.0/oauth/access_token',
    profile: 'https://graph.facebook.com/v23.0/me?fields=id,name,email,picture.type(large)',
  },
  scopes: 'public_profile email',
  authentication: 'post',
  // The vendor does not say whether the address was ever verified.
  person: ({ id, name, email, picture }) => ({
    subject: text(id)!,
    email: text(email),
    displayName: text(name),
    photo: text(object(object(picture)['data'])['url']),
  }),
};
