import { defineError } from '../../common/errors/index.js';
import { SecurityEvent } from '../../common/security/index.js';

export const crossSiteRequest = defineError({
  code: 'cross_site_request',
  status: 403,
  security: SecurityEvent.SiteRefused,
  message: 'A request with the session cookie must come from an allowed origin, as JSON.',
  hint: 'Call from a page whose origin is listed in the environment, with Content-Type: application/json.',
  cause:
    'A state-changing call carried the session cookie, but its Origin is missing or not among the origins of the environment, or its body is not declared as JSON.',
  fix: 'Add the origin of the page to the environment, or send the token in the Authorization header instead.',
});

export const tokenReused = defineError({
  code: 'token_reused',
  status: 401,
  security: SecurityEvent.TokenReused,
  message: 'This token was already exchanged; its session has been ended.',
  hint: 'Sign in again, and keep only the newest token.',
  cause:
    'A token that had been exchanged for a newer one more than ten seconds ago, or by another client, was presented for exchange again. Either two copies of it exist or someone else has one, so the whole session is ended (RFC 9700 §4.14.2).',
  fix: 'Sign in again. Share one token store between the tabs of an application.',
});

export const invalidSessionPublicKey = defineError({
  code: 'invalid_session_public_key',
  status: 422,
  message: 'The session public key is too long.',
  hint: 'Send the key itself, in hex or base64, in at most 512 characters.',
  cause: 'The key is repeated in every token of the session, and tokens must fit into a cookie.',
  fix: 'Send a compressed elliptic-curve public key.',
});
