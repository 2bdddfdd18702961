import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const oauthStateWeak = defineError({
  code: 'oauth_state_weak',
  status: 422,
  message: 'This state is too easy to guess.',
  hint: 'Generate 32 random bytes in base64url for every sign-in.',
  cause:
    'A state must have 32 to 255 base64url characters, so that guessing one is as unlikely as RFC 6749 section 10.10 demands.',
  fix: 'For each sign-in, take 32 bytes from a cryptographic random generator and encode them in base64url.',
});

export const oauthStateInUse = defineError({
  code: 'oauth_state_in_use',
  status: 422,
  message: 'Another sign-in uses this state.',
  hint: 'Make a new state for every sign-in.',
  cause: 'A state identifies one sign-in, and another sign-in started with it within the last hour.',
  fix: 'Make a new state of 32 random bytes for every sign-in.',
});

export const oauthChallengeInvalid = defineError({
  code: 'oauth_challenge_invalid',
  status: 422,
  message: 'This code challenge cannot be used.',
  hint: 'Send BASE64URL(SHA256(codeVerifier)) of 43 characters, together with a redirectUrl.',
  cause:
    'The challenge is not an S256 challenge (RFC 7636 section 4.2), or `redirectUrl` is missing: an attempt that is bound to a client sends its code only to that address.',
  fix: 'Use an S256 challenge and send the address of the client; or omit the challenge, so that the attempt is bound to the browser by a cookie.',
});

export const oauthRedirectNotAllowed = defineError({
  code: 'oauth_redirect_not_allowed',
  status: 422,
  message: 'Sign-in may not return to this address.',
  hint: 'Register the origin of the address, or the address as a deeplink, exactly as the client sends it.',
  cause:
    'The origin of `redirectUrl` is not a registered origin of the environment, and the address is not a registered deeplink. Both are compared exactly: wildcards do not match return addresses. Plain http is allowed only for localhost in a sandbox.',
  fix: 'Add the origin or the deeplink to the environment, or send the address that is registered.',
});

export const oauthAttemptUnknown = defineError({
  code: 'oauth_attempt_unknown',
  status: 422,
  message: 'There is no sign-in with this state.',
  hint: 'Begin the sign-in with initAuth; a state and its code can be used once.',
  cause: 'No sign-in with this state was started at this provider in this environment, or its code was already used.',
  fix: 'Begin again. Calls that do not send the state need the cookie that initAuth set in the browser.',
});

export const oauthAttemptExpired = defineError({
  code: 'oauth_attempt_expired',
  status: 422,
  message: 'This sign-in has expired.',
  hint: 'Begin the sign-in again.',
  cause: 'A sign-in at a provider must be completed within ten minutes.',
  fix: 'Begin again with a new state.',
});

export const oauthAttemptElsewhere = defineError({
  code: 'oauth_attempt_elsewhere',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This sign-in was started in another browser.',
  hint: 'Complete the sign-in in the browser that started it, with its cookies.',
  cause:
    'The sign-in is bound to a cookie in the browser that started it, and this request came without it. This prevents an attacker from having someone else complete the attacker’s sign-in.',
  fix: 'Call initAuth with credentials, from the browser that is to sign in; if the browser does not keep the cookie, send a `codeChallenge` and a `redirectUrl`.',
});

export const oauthAnswerMissing = defineError({
  code: 'oauth_answer_missing',
  status: 422,
  message: 'The provider has not answered yet.',
  hint: 'Wait for the provider to send the browser back.',
  cause: 'The browser has not returned from the provider to this service.',
  fix: 'Ask oauthResult, or wait for the redirect, before signing in.',
});

export const oauthAlreadyAnswered = defineError({
  code: 'oauth_already_answered',
  status: 422,
  message: 'The provider has already answered this sign-in.',
  hint: 'Go on in the application, or begin again.',
  cause: 'Only the provider’s first answer to a sign-in counts; another one came with the same state.',
  fix: 'Finish the sign-in with the code of the first answer, or begin again.',
});

export const oauthRefused = defineError({
  code: 'oauth_refused_by_provider',
  status: 422,
  message: 'The provider did not sign the person in.',
  hint: 'Begin again. payload.error is the provider’s error code.',
  cause: 'The person declined, or the provider refused the request: `payload.error` says which.',
  fix: 'Begin again; with `invalid_request`, `unauthorized_client` or `invalid_scope` check the settings of the provider.',
});

export const oauthCodeInvalid = defineError({
  code: 'oauth_code_invalid',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This code does not finish the sign-in.',
  hint: 'Send the code that came with this state and, if the sign-in started with a challenge, its codeVerifier.',
  cause:
    'The code belongs to another sign-in, or `codeVerifier` does not match the challenge that the sign-in started with.',
  fix: 'Keep state, code and verifier of one sign-in together.',
});

export const oauthScopeFixed = defineError({
  code: 'oauth_scope_fixed',
  status: 422,
  message: 'A client cannot choose the scopes requested from the provider.',
  hint: 'Leave `scope` out, and set `scopes` at the provider.',
  cause: 'The scopes are part of the provider’s settings, so that no page can ask users for more.',
  fix: 'Set `scopes` of the provider in the environment.',
});
