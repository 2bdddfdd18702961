import { Logger } from '@nestjs/common';
import { ApiError, defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';
import { DiscoveryError, OidcError } from '../../oidc/index.js';
import { OutboundError, tenantFailure } from '../../outbound/index.js';

export const providerNotAvailable = defineError({
  code: 'provider_not_available',
  status: 422,
  message: 'This provider is not available here.',
  hint: 'Enable the provider in the settings of the environment, or offer another way to sign in.',
  cause:
    'The environment has no enabled provider of this type, or providers of this type have their own sign-in operations.',
  fix: 'List the providers of the environment, and complete and enable this one.',
});

export const socialSignInFailed = defineError({
  code: 'social_sign_in_failed',
  status: 422,
  message: 'The provider did not confirm who signed in.',
  hint: 'Begin the sign-in again. If it fails again, check the provider: payload.reason says what went wrong.',
  cause:
    'The code was already used or has expired, the provider could not be reached, or its statement about the person is not valid. `payload.reason` is `refused`, `unreachable`, `id_token` or `profile`.',
  fix: 'Begin again. For `refused`, check the client id, secret and redirect address at the provider; for `unreachable`, its status; `id_token` and `profile` are responses that this service must not trust.',
});

export const ssoNotAvailable = defineError({
  code: 'sso_not_available',
  status: 422,
  message: 'This single sign-on is not available here.',
  hint: 'Get the id from checkSsoProvider, and begin at the provider that it names.',
  cause:
    'The organization of the environment has no setup with this id at this provider, the setup was deleted, or its email domain is not proven. Setups of other organizations are not disclosed.',
  fix: 'Send the `id` from checkSsoProvider; for a new setup, prove the email domain first.',
});

export const ssoSetupChanged = defineError({
  code: 'sso_setup_changed',
  status: 422,
  message: 'The single sign-on setup was changed during the sign-in.',
  hint: 'Begin the sign-in again.',
  cause:
    'Since the sign-in began, the provider, client or email domain of the setup was changed. The previous provider is no longer trusted.',
  fix: 'Begin again: the sign-in then goes to the current provider.',
});

export const ssoAddressRefused = defineError({
  code: 'sso_address_refused',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The organization’s provider cannot vouch for this address.',
  hint: 'Sign in at the provider with an address of the domain in payload.emailDomain.',
  cause:
    'The account that signed in has no address, one that its provider calls unverified, or one outside the domain that the organization has proven. The provider is trusted only for addresses of that domain.',
  fix: 'Use an account with an address of the domain, or have the provider send the claim `email`.',
});

const log = new Logger('SocialSignIn');

/** An unreachable provider is no sign of abuse. Any other failure may be an attack. */
export const notConfirmed = (reason: string): ApiError =>
  socialSignInFailed({
    payload: { reason },
    ...(reason !== 'unreachable' && { security: SecurityEvent.ProofRefused }),
  });

export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.details.payload?.['reason'] === 'unreachable';

/** The error shown to the user after a failure at a vendor; protocol details are logged, tokens and codes are not. */
export function failedAt(provider: string): (error: unknown) => never {
  return (error) => {
    const failure = reasonOf(error);
    if (failure === null) throw error;
    log.warn(`${provider}: ${failure.detail}`);
    throw notConfirmed(failure.reason);
  };
}

function reasonOf(error: unknown): { reason: string; detail: string } | null {
  if (error instanceof OidcError) return { reason: error.failure, detail: error.message };
  if (error instanceof DiscoveryError) return { reason: 'unreachable', detail: error.message };
  if (error instanceof OutboundError) return { reason: 'unreachable', detail: tenantFailure(error.kind) };
  return null;
}
