import { defineError } from '../../common/errors/index.js';

export const invalidSsoProvider = defineError({
  code: 'invalid_sso_provider',
  status: 422,
  message: 'The single sign-on setup is not valid.',
  hint: 'See payload.field: it names the invalid field.',
  cause:
    'The client id or secret is empty or not one line of printable ASCII, the address of the provider is not https, the email domain is not a domain in which people can have addresses, or `ssoDomain` was changed to another provider without a new secret.',
  fix: 'Correct the field named in `payload.field`. Nothing was written.',
});

export const ssoDiscoveryFailed = defineError({
  code: 'sso_discovery_failed',
  status: 422,
  message: 'The provider could not be discovered.',
  hint: 'Open the address in payload.url: it must return the OpenID Connect configuration of the provider.',
  cause:
    'The document at `/.well-known/openid-configuration` did not arrive within five seconds, is not JSON of at most 64 KB, names another issuer, or lacks an https endpoint, a signing algorithm that is accepted or a way to send a client secret, or requires pushed authorization requests. `payload.reason` says which.',
  fix: 'Check `ssoDomain`: it is the issuer of the provider without `https://`, including any path. Nothing was written.',
});

export const singleSignOnNotEnforced = defineError({
  code: 'single_sign_on_not_enforced',
  status: 422,
  message: 'Single sign-on cannot be enforced yet.',
  hint: 'Prove the email domain first: see domainProof of the setup.',
  cause:
    'The organization has not proven that it owns the email domain, so it cannot decide how users with its addresses sign in. A changed `emailDomain` has to be proven again.',
  fix: 'Set the TXT record of `domainProof`, check it with verifySsoDomain, and send `enforceOnlySSO` again. Nothing was written.',
});
