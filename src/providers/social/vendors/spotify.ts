import { defineProviderType } from '../../types/provider-type.js';
import { list, OAUTH_CLIENT, type OAuthVendor, text } from '../social-vendor.js';

/** https://developer.spotify.com/documentation/web-api/tutorials/code-flow */
export const spotify: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'spotify',
    scopesRefUrl: 'https://developer.spotify.com/documentation/web-api/concepts/scopes',
  }),
  addresses: {
    authorize: 'https://accounts.spotify.com/authorize',
    token: 'https://accounts.spotify.com/api/token',
    profile: 'https://api.spotify.com/v1/me',
  },
  scopes: 'user-read-email',
  authentication: 'basic',
  // The vendor documents the address as unverified.
  person: ({ id, display_name: displayName, email, images }) => ({
    subject: text(id)!,
    email: text(email),
    displayName: text(displayName),
    username: text(id),
    photo: text(list(images)[0]?.['url']),
  }),
};
