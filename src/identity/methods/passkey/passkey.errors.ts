import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const passkeyOriginNotAllowed = defineError({
  code: 'passkey_origin_not_allowed',
  status: 400,
  message: 'This site has no passkeys in this environment.',
  hint: 'Register the origin of the site in the settings of the environment.',
  cause:
    'The `Origin` header names no registered origin and no proven host name of the environment, or one that cannot have passkeys, such as an IP address. Without the header, the environment has no site at all. The console has one site, which is `PUBLIC_URL` with a name for its host.',
  fix: 'Add the origin of the page, for instance `https://app.example.com`, or in the sandbox `http://localhost:3000`. Members open the pages of the service at its `PUBLIC_URL`.',
});

export const passkeyRelatedOriginUnknown = defineError({
  code: 'passkey_related_origin_unknown',
  status: 400,
  message: 'The environment has no site of this domain.',
  hint: 'Let `relatedOriginRpId` name the domain of a registered origin, or leave it out.',
  cause: '`relatedOriginRpId` names a domain to which no registered origin and no proven host name belongs.',
  fix: 'Register an origin of that domain, or use the domain of one that is registered.',
});

export const passkeyChallengeInvalid = defineError({
  code: 'passkey_challenge_invalid',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This answer is to no challenge that is waiting.',
  hint: 'Ask for new options, and answer them within five minutes.',
  cause:
    'The challenge is unknown, older than five minutes, was used, was made for another operation or for another user. Which of these is not told.',
  fix: 'Ask for options again and hand what the browser answers to the matching operation, once.',
});

export const passkeyNotVerified = defineError({
  code: 'passkey_not_verified',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'The answer of the authenticator does not hold.',
  hint: 'Try again; the person must confirm with PIN, finger or face.',
  cause:
    'The ceremony was made on a site that is not registered or in a frame of another site, for another domain or another user, without verification of the person, or its signature, its key or its flags are not what they must be.',
  fix: 'Use the options as they were answered, on a registered site, and send what the browser answers unchanged.',
});

export const passkeyNotFound = defineError({
  code: 'passkey_not_found',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'There is no such passkey here.',
  hint: 'Sign in another way, or use another passkey.',
  cause: 'The passkey was removed, belongs to another environment, or never was registered.',
  fix: 'Sign in by another method and register a passkey.',
});

export const passkeyCopied = defineError({
  code: 'passkey_counter_went_back',
  status: 422,
  security: SecurityEvent.AuthenticatorCloned,
  message: 'This passkey may have been copied, and is not taken.',
  hint: 'Sign in another way, remove the passkey and register it again.',
  cause:
    'The counter in the signature is not greater than the last one (WebAuthn §6.1.1): a second authenticator has the same key, or an old answer was sent again.',
  fix: 'Remove the passkey after signing in by another method, and register a new one.',
});

export const maxPasskeysPerUser = defineError({
  code: 'max_passkeys_per_user',
  status: 422,
  message: 'A user may have ten passkeys.',
  hint: 'Remove one that is no longer used.',
  cause: 'The user has ten passkeys.',
  fix: 'Remove a passkey first.',
});

export const passkeyActionTokenUnavailable = defineError({
  code: 'passkey_action_token_unavailable',
  status: 422,
  message: 'This operation makes no token for an action.',
  hint: 'Leave `createMfaToken` out.',
  cause: '`createMfaToken` asks for the token of a second factor, which a sign-in and a new passkey do not give.',
  fix: 'For a fresh proof of who is there, send `requestedScopes` instead.',
});

export const passkeyKnown = defineError({
  code: 'passkey_already_registered',
  status: 422,
  message: 'This passkey is registered already.',
  hint: 'Use it to sign in.',
  cause: 'A user of the environment has a passkey of the same credential id.',
  fix: 'Sign in with the passkey, or make a new one with options that were just asked for.',
});
