import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, object, text } from '../social-vendor.js';

/** https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code */
export const twitter: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'twitter',
    scopesRefUrl: 'https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code#scopes',
  }),
  addresses: {
    authorize: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    profile: 'https://api.x.com/2/users/me?user.fields=id,name,username,profile_image_url,confirmed_email',
  },
  scopes: 'users.read tweet.read users.email',
  authentication: 'basic',
  person: ({ data }) => {
    const { id, name, username, profile_image_url: photo, confirmed_email: email } = object(data);
    const person = { displayName: text(name), username: text(username), photo: text(photo) };
    return { ...person, subject: text(id)!, email: text(email), emailVerified: text(email) !== null };
  },
};
