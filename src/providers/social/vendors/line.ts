import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, text } from '../social-vendor.js';

/** https://developers.line.biz/en/docs/line-login/integrate-line-login/ */
export const line: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'line',
    scopesRefUrl: 'https://developers.line.biz/en/docs/line-login/integrate-line-login/#scopes',
  }),
  addresses: {
    authorize: 'https://access.line.me/oauth2/v2.1/authorize',
    token: 'https://api.line.me/oauth2/v2.1/token',
    profile: 'https://api.line.me/oauth2/v2.1/userinfo',
  },
  scopes: 'profile openid',
  authentication: 'post',
  // Its id tokens for web apps are signed with the client secret and prove nothing, so the profile is read instead.
  person: ({ sub, name, picture }) => ({ subject: text(sub)!, displayName: text(name), photo: text(picture) }),
};
