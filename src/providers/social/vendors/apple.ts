import { defineProviderType } from '../../types/provider-type.js';
import { isSigningKey, signedClientSecret } from '../signed-client-secret.js';
import { OAUTH_CLIENT, text, type OidcVendor } from '../social-vendor.js';

/**
 * https://developer.apple.com/documentation/signinwithapplerestapi. The stored secret is a private key, which signs the
 * JWT that the vendor calls the client secret. With scopes, responses arrive as a form POST.
 */
export const apple: OidcVendor = {
  protocol: 'oidc',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'apple',
    required: ['clientId', 'oauthKeyId', 'oauthTeamId'],
    destination: ['clientId', 'oauthKeyId', 'oauthTeamId'],
    isSecret: isSigningKey,
    scopesRefUrl: 'https://developer.apple.com/documentation/signinwithapple/implementing-user-authentication',
  }),
  issuer: 'https://appleid.apple.com',
  page: (issuer) => `${issuer}/auth/authorize`,
  scopes: 'name email',
  extra: { response_mode: 'form_post' },
  authentication: (parts) => ({ kind: 'post', secret: signedClientSecret(parts, 'https://appleid.apple.com') }),
  // The name is sent only once, in the unsigned form, so it is not used.
  person: ({ sub, email, email_verified: verified }) => ({
    subject: text(sub)!,
    email: text(email),
    emailVerified: verified === true || verified === 'true',
    emailAuthoritative: /@(privaterelay\.appleid|icloud|me|mac)\.com$/i.test(text(email) ?? ''),
  }),
};
