import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const passkeyOriginNotAllowed = defineError({
  code: 'passkey_origin_not_allowed',
  status: 400,
  message: 'Passkeys cannot be used on this site in this environment.',
  hint: 'Register the origin of the site in the settings of the environment.',
  cause:
    'The `Origin` header is not a registered origin or verified hostname of the environment, or is one that cannot have passkeys, such as an IP address. If there is no header, the environment has no site at all. The console has one site, `PUBLIC_URL`, whose host must be a name.',
  fix: 'Add the origin of the page, for example `https://app.example.com`, or in a sandbox `http://localhost:3000`. Members have to open the service’s pages at its `PUBLIC_URL`.',
});

export const passkeyRelatedOriginUnknown = defineError({
  code: 'passkey_related_origin_unknown',
  status: 400,
  message: 'The environment has no site of this domain.',
  hint: 'Set `relatedOriginRpId` to the domain of a registered origin, or omit it.',
  cause: 'No registered origin or verified hostname belongs to the domain in `relatedOriginRpId`.',
  fix: 'Register an origin of that domain, or use the domain of one that is registered.',
});

export const passkeyChallengeInvalid = defineError({
  code: 'passkey_challenge_invalid',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This response does not match a pending challenge.',
  hint: 'Request new options, and respond to them within five minutes.',
  cause:
    'The challenge is unknown, older than five minutes, already used, or made for another operation or user. The response does not say which.',
  fix: 'Request new options and pass the browser’s response to the matching operation, once.',
});

export const passkeyNotVerified = defineError({
  code: 'passkey_not_verified',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The authenticator’s response is not valid.',
  hint: 'Try again; the user must confirm with a PIN, fingerprint or face.',
  cause:
    'The ceremony took place on a site that is not registered or in a frame of another site, was for another domain or user, or was made without user verification; or its signature, key or flags are invalid.',
  fix: 'Use the options unchanged, on a registered site, and send the browser’s response unchanged.',
});

export const passkeyNotFound = defineError({
  code: 'passkey_not_found',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'There is no such passkey here.',
  hint: 'Sign in another way, or use another passkey.',
  cause: 'The passkey was removed, belongs to another environment, or was never registered.',
  fix: 'Sign in by another method and register a passkey.',
});

export const passkeyCopied = defineError({
  code: 'passkey_counter_went_back',
  status: 422,
  security: SecurityEvent.AuthenticatorCloned,
  message: 'This passkey may have been copied and is not accepted.',
  hint: 'Sign in another way, remove the passkey and register it again.',
  cause:
    'The counter in the signature is not greater than the last one (WebAuthn §6.1.1): another authenticator has the same key, or an old response was replayed.',
  fix: 'Remove the passkey after signing in by another method, and register a new one.',
});

export const maxPasskeysPerUser = defineError({
  code: 'max_passkeys_per_user',
  status: 422,
  message: 'A user can have at most ten passkeys.',
  hint: 'Remove one that is no longer used.',
  cause: 'The user has ten passkeys.',
  fix: 'Remove a passkey first.',
});

export const passkeyActionTokenUnavailable = defineError({
  code: 'passkey_action_token_unavailable',
  status: 422,
  message: 'This operation does not create MFA tokens.',
  hint: 'Leave `createMfaToken` out.',
  cause: '`createMfaToken` requests the token of a second factor, which signing in with a passkey does not create.',
  fix: 'For a fresh proof of identity, send `requestedScopes` instead.',
});

export const passkeyKnown = defineError({
  code: 'passkey_already_registered',
  status: 422,
  message: 'This passkey is registered already.',
  hint: 'Use it to sign in.',
  cause: 'A user of the environment has a passkey with the same credential id.',
  fix: 'Sign in with the passkey, or create a new one with new options.',
});
