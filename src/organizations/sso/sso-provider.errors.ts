import { defineError } from '../../common/errors/index.js';

export const invalidSsoProvider = defineError({
  code: 'invalid_sso_provider',
  status: 422,
  message: 'Single sign-on cannot be set up like this.',
  hint: 'See payload.field: it names what cannot be used.',
  cause:
    'The client id or secret is empty, the address of the provider is not one of https, the email domain is not a domain that people can have addresses in, or `ssoDomain` names another provider than the secret was given for, and no new one was sent.',
  fix: 'Correct the field named in `payload.field`. Nothing was written.',
});

export const ssoDiscoveryFailed = defineError({
  code: 'sso_discovery_failed',
  status: 422,
  message: 'The provider could not be discovered.',
  hint: 'Open the address in payload.url: it must answer with the OpenID Connect configuration of the provider.',
  cause:
    'The document at `/.well-known/openid-configuration` did not arrive within five seconds, is not JSON of at most 64 KB, names another issuer, or lacks an https endpoint or a signing algorithm that is accepted. `payload.reason` says which.',
  fix: 'Check `ssoDomain`: it is the issuer of the provider without `https://`, with its path where it has one. Nothing was written.',
});

export const singleSignOnNotEnforced = defineError({
  code: 'single_sign_on_not_enforced',
  status: 422,
  message: 'Members cannot be held to single sign-on.',
  hint: 'Prove the email domain first: see domainProof of the setup.',
  cause:
    "Nobody has shown that the email domain is the organization's, so it cannot say how the owners of its addresses sign in. Another `emailDomain` has to be proven anew.",
  fix: 'Set the TXT record of `domainProof`, have it looked at with verifySsoDomain, and send `enforceOnlySSO` again. Nothing was written.',
});
