import { defineProviderType } from '../../types/provider-type.js';
import { OAUTH_CLIENT, type OidcVendor, text } from '../social-vendor.js';

/** https://developers.google.com/identity/openid-connect/openid-connect */
export const google: OidcVendor = {
  protocol: 'oidc',
  type: defineProviderType({
    ...OAUTH_CLIENT,
    name: 'google',
    scopesRefUrl: 'https://developers.google.com/identity/protocols/oauth2/scopes',
  }),
  issuer: 'https://accounts.google.com',
  page: (issuer) => `${issuer}/o/oauth2/v2/auth`,
  scopes: 'openid email profile',
  // Refresh tokens are asked for by this parameter, not by a scope, and given with the first consent only.
  extra: { access_type: 'offline' },
  authentication: 'post',
  // Google is authoritative for its own mailboxes and hosted domains (`hd`); other addresses may have changed hands.
  person: ({ sub, email, email_verified: verified, hd, name, picture }) => ({
    subject: text(sub)!,
    email: text(email),
    emailVerified: verified === true,
    emailAuthoritative: text(hd) !== null || /@(gmail|googlemail)\.com$/i.test(text(email) ?? ''),
    displayName: text(name),
    photo: text(picture),
  }),
};
