import { defineProviderType } from '../../types/provider-type.js';
import { isSigningKey, signedClientSecret } from '../signed-client-secret.js';
import { OAUTH_CLIENT, text, type OidcVendor } from '../social-vendor.js';

/**
 * https://developer.apple.com/documentation/signinwithapplerestapi. The secret kept here is a private key: what the
 * vendor calls client secret is a token that it signs. With scopes, answers come as a posted form.
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
  scopes: 'name email',
  extra: { response_mode: 'form_post' },
  authentication: (parts) => ({ kind: 'post', secret: signedClientSecret(parts, 'https://appleid.apple.com') }),
  // A name comes once, in the form and unsigned, so it is not taken from there.
  person: ({ sub, email, email_verified: verified }) => ({
    subject: text(sub)!,
    email: text(email),
    emailVerified: verified === true || verified === 'true',
    emailAuthoritative: /@(privaterelay\.appleid|icloud|me|mac)\.com$/i.test(text(email) ?? ''),
  }),
};
