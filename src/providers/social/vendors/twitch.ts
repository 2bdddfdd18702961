import { defineProviderType } from '../../types/provider-type.js';
import { list, OAUTH_CLIENT, type OAuthVendor, text } from '../social-vendor.js';

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oauth/ */
export const twitch: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'twitch',
    scopesRefUrl: 'https://dev.twitch.tv/docs/authentication/scopes/',
  }),
  addresses: {
    authorize: 'https://id.twitch.tv/oauth2/authorize',
    token: 'https://id.twitch.tv/oauth2/token',
    profile: 'https://api.twitch.tv/helix/users',
  },
  scopes: 'user:read:email',
  authentication: 'post',
  headers: ({ clientId = '' }) => ({ 'client-id': clientId }),
  // Addresses are disclosed only once verified.
  person: ({ data }) => {
    const { id, login, display_name: displayName, email, profile_image_url: photo } = list(data)[0] ?? {};
    const person = { displayName: text(displayName), username: text(login), photo: text(photo) };
    return { ...person, subject: text(id)!, email: text(email), emailVerified: text(email) !== null };
  },
};
