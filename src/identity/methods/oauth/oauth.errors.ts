import { defineError } from '../../../common/errors/index.js';
import { SecurityEvent } from '../../../common/security/index.js';

export const oauthStateWeak = defineError({
  code: 'oauth_state_weak',
  status: 422,
  message: 'This state is too easy to guess.',
  hint: 'Make it of 32 random bytes in base64url, anew for every sign-in.',
  cause: 'A state has 43 to 255 characters of base64url, which are 256 bits or more (RFC 9700 section 4.7).',
  fix: 'Take 32 bytes of a cryptographic random generator for each sign-in and write them in base64url.',
});

export const oauthStateInUse = defineError({
  code: 'oauth_state_in_use',
  status: 422,
  message: 'There is a sign-in with this state.',
  hint: 'Make a new state for every sign-in.',
  cause: 'A state names one sign-in, and another one began with it within the last hour.',
  fix: 'Make a new state of 32 random bytes for every sign-in.',
});

export const oauthChallengeInvalid = defineError({
  code: 'oauth_challenge_invalid',
  status: 422,
  message: 'This code challenge cannot be used.',
  hint: 'Send BASE64URL(SHA256(codeVerifier)) of 43 characters, together with a redirectUrl.',
  cause:
    'The challenge is no S256 challenge (RFC 7636 section 4.2), or there is no `redirectUrl`: an attempt that is bound to a client hands its code to that address alone.',
  fix: 'Make the challenge by S256 and name the address of the client; or leave the challenge out, so that the attempt is bound to the browser by a cookie.',
});

export const oauthRedirectNotAllowed = defineError({
  code: 'oauth_redirect_not_allowed',
  status: 422,
  message: 'Sign-in may not return to this address.',
  hint: 'Register the origin of the address, or the address as a deeplink, exactly as the client sends it.',
  cause:
    'The origin of `redirectUrl` is no registered origin of the environment, and the address is no registered deeplink. Both are compared exactly: a wildcard admits no return address. Plain http is for localhost in a sandbox alone.',
  fix: 'Add the origin or the deeplink to the environment, or send the address that is registered.',
});

export const oauthAttemptUnknown = defineError({
  code: 'oauth_attempt_unknown',
  status: 422,
  message: 'There is no sign-in with this state.',
  hint: 'Begin the sign-in with initAuth; a state and its code are good once.',
  cause: 'No sign-in began with this state at this provider in this environment, or its code was used already.',
  fix: 'Begin anew. Calls that do not name the state need the cookie that initAuth set in the browser.',
});

export const oauthAttemptExpired = defineError({
  code: 'oauth_attempt_expired',
  status: 422,
  message: 'This sign-in began too long ago.',
  hint: 'Begin the sign-in again.',
  cause: 'A sign-in at a provider must be over ten minutes after it began.',
  fix: 'Begin again with a new state.',
});

export const oauthAttemptElsewhere = defineError({
  code: 'oauth_attempt_elsewhere',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This sign-in was begun by somebody else.',
  hint: 'Finish the sign-in in the browser that began it, with its cookies.',
  cause:
    'The sign-in is bound to the cookie of the browser that began it, and this request came without it. So nobody can have another person finish a sign-in of theirs.',
  fix: 'Call initAuth with credentials, from the browser that is to sign in; where a browser does not keep the cookie, send a `codeChallenge` and a `redirectUrl`.',
});

export const oauthAnswerMissing = defineError({
  code: 'oauth_answer_missing',
  status: 422,
  message: 'The provider has not answered yet.',
  hint: 'Wait for the provider to send the browser back.',
  cause: 'The person has not come back from the provider to this service.',
  fix: 'Ask oauthResult, or wait for the redirect, before signing in.',
});

export const oauthAlreadyAnswered = defineError({
  code: 'oauth_already_answered',
  status: 422,
  message: 'The provider has answered this sign-in already.',
  hint: 'Go on in the application, or begin again.',
  cause: 'The first answer of a provider to a sign-in counts; another came with the same state.',
  fix: 'Finish the sign-in with the code of the first answer, or begin again.',
});

export const oauthRefused = defineError({
  code: 'oauth_refused_by_provider',
  status: 422,
  message: 'The provider did not sign the person in.',
  hint: 'Begin again. payload.error is the word of the provider.',
  cause: 'The person declined, or the provider refused the request: `payload.error` says which.',
  fix: 'Begin again; with `invalid_request`, `unauthorized_client` or `invalid_scope` check the settings of the provider.',
});

export const oauthCodeInvalid = defineError({
  code: 'oauth_code_invalid',
  status: 422,
  security: SecurityEvent.ProofRefused,
  message: 'This code does not finish the sign-in.',
  hint: 'Send the code that came with this state and, where the sign-in began with a challenge, its codeVerifier.',
  cause: 'The code is of another sign-in, or `codeVerifier` does not fit the challenge that the sign-in began with.',
  fix: 'Keep state, code and verifier of one sign-in together.',
});

export const oauthScopeFixed = defineError({
  code: 'oauth_scope_fixed',
  status: 422,
  message: 'A client cannot choose what is asked of the provider.',
  hint: 'Leave `scope` out, and set `scopes` at the provider.',
  cause: 'What is asked of a provider is part of its settings, so that no page can ask people for more.',
  fix: 'Set `scopes` of the provider in the environment.',
});
