import { defineProviderType } from '../../types/provider-type.js';
import { list, OAUTH_CLIENT, type OAuthVendor, text } from '../social-vendor.js';

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'github',
    scopesRefUrl: 'https://docs.github.com/apps/oauth-apps/building-oauth-apps/scopes-for-oauth-apps',
  }),
  addresses: {
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    profile: 'https://api.github.com/user',
    api: 'https://api.github.com',
  },
  scopes: 'read:user user:email',
  authentication: 'post',
  headers: () => ({ 'x-github-api-version': '2022-11-28' }),
  // The profile's address is only what users choose to display; verified addresses are in a separate list.
  person: async ({ id, name, login, avatar_url: photo }, { get, addresses }) => {
    const emails = await get(`${addresses.api}/user/emails`);
    const primary = list(emails).find((each) => each['primary'] === true);
    return {
      subject: text(id)!,
      email: text(primary?.['email']),
      emailVerified: primary?.['verified'] === true,
      displayName: text(name),
      username: text(login),
      photo: text(photo),
      ...(emails === null && { untold: ['email'] }),
    };
  },
};
