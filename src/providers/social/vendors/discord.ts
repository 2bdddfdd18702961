import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, text } from '../social-vendor.js';

/** https://discord.com/developers/docs/topics/oauth2 */
export const discord: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'discord',
    scopesRefUrl: 'https://discord.com/developers/docs/topics/oauth2#shared-resources-oauth2-scopes',
  }),
  addresses: {
    authorize: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
    profile: 'https://discord.com/api/users/@me',
  },
  scopes: 'identify email',
  authentication: 'basic',
  person: ({ id, email, verified, global_name: displayName, username, avatar }) => ({
    subject: text(id)!,
    email: text(email),
    emailVerified: verified === true,
    displayName: text(displayName),
    username: text(username),
    photo: text(avatar) && `https://cdn.discordapp.com/avatars/${text(id)}/${text(avatar)}.png`,
  }),
};
