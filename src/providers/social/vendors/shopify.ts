import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OAuthVendor, object, text } from '../social-vendor.js';

/** https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant */
export const shopify: OAuthVendor = {
  protocol: 'oauth',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'shopify',
    required: ['clientId', 'commerceStore'],
    publicFields: ['clientId', 'scopes', 'commerceStore'],
    destination: ['clientId', 'commerceStore'],
    scopesRefUrl: 'https://shopify.dev/docs/api/usage/access-scopes',
  }),
  addresses: {
    authorize: 'https://{store}.myshopify.com/admin/oauth/authorize',
    token: 'https://{store}.myshopify.com/admin/oauth/access_token',
    profile: '',
  },
  scopes: 'read_customers',
  authentication: 'post',
  // Per user: the token response contains the account, and there is no endpoint to read it from.
  extra: { 'grant_options[]': 'per-user' },
  person: (_, { tokens }) => {
    const user = object(tokens.rest['associated_user']);
    const names = [text(user['first_name']), text(user['last_name'])].filter(Boolean).join(' ');
    return {
      subject: text(user['id'])!,
      email: text(user['email']),
      emailVerified: user['email_verified'] === true,
      displayName: names || null,
    };
  },
};
