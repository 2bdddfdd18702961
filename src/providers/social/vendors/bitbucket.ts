import { defineProviderType } from '../../types/provider-type.js';
import { list, OAUTH_CLIENT, type OAuthVendor, object, text } from '../social-vendor.js';

/** https://developer.atlassian.com/cloud/bitbucket/oauth-2/ */
export const bitbucket: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'bitbucket',
    scopesRefUrl: 'https://developer.atlassian.com/cloud/bitbucket/bitbucket-cloud-rest-api-scopes/',
  }),
  addresses: {
    authorize: 'https://bitbucket.org/site/oauth2/authorize',
    token: 'https://bitbucket.org/site/oauth2/access_token',
    profile: 'https://api.bitbucket.org/2.0/user',
    api: 'https://api.bitbucket.org/2.0',
  },
  scopes: 'account email',
  authentication: 'basic',
  person: async ({ uuid, display_name: displayName, username, links }, { get, addresses }) => {
    const emails = await get(`${addresses.api}/user/emails`);
    const primary = list(object(emails)['values']).find((each) => each['is_primary'] === true);
    return {
      subject: text(uuid)!,
      email: text(primary?.['email']),
      emailVerified: primary?.['is_confirmed'] === true,
      displayName: text(displayName),
      username: text(username),
      photo: text(object(object(links)['avatar'])['href']),
      ...(emails === null && { untold: ['email'] }),
    };
  },
};
