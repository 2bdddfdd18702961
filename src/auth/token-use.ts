import { defineError, unauthorized } from '../common/errors/index.js';
import { fieldsOf } from '../common/fields/index.js';
import { resultOf } from '../common/http/operation.js';
import { SecurityEvent } from '../common/security/index.js';
import type { EndUserPrincipal } from './principal.js';

export const tokenReplaced = defineError({
  code: 'token_replaced',
  status: 401,
  security: SecurityEvent.TokenRefused,
  message: 'This token was replaced by a newer one, so it gets no other.',
  hint: 'Call with the newest token of the session.',
  cause:
    'The operation answers with tokens, and the token of this call had been exchanged for a newer one more than ten seconds ago, or by another client. Whoever holds an old copy of a token must not get a current one by it.',
  fix: 'Keep one store for tokens and share it between tabs. For 15 minutes after its replacement a token still serves operations that answer without tokens.',
});

export const tokenCut = defineError({
  code: 'token_cut',
  status: 401,
  message: 'This token says more than its user still has.',
  hint: 'Exchange it with POST /sdk/{environmentId}/refresh.',
  cause:
    'A gate or an allowlist had given the token a scope, or had let its user in, and no longer applies to them: a wallet holds less than it did, or somebody was taken off a list.',
  fix: 'Refresh the token, which gives one with the scopes that are earned now, or says what is missing. The event `user.scopes.changed` is sent when they change.',
});

const TOKENS = new Set(['jwt', 'minifiedJwt', 'elevatedAccessToken', 'mfaToken']);
const known = new WeakMap<object, boolean>();

/** Whether the operation returns session tokens, according to its declared result. */
export function answersTokens(handler: object): boolean {
  let answers = known.get(handler);
  if (answers === undefined) {
    const type = resultOf(handler)?.type;
    answers = !!type && fieldsOf(type).some(({ key }) => TOKENS.has(key));
    known.set(handler, answers);
  }
  return answers;
}

/**
 * Refuses a replaced token for renewing, and after a while for everything. Runs before the operation, so that a refusal has
 * no side effects; where tokens are issued, the rule is checked again on the row.
 */
export function assertTokenUse({ tokenUse }: Pick<EndUserPrincipal, 'tokenUse'>, handler: object): void {
  if (tokenUse === 'spent') throw unauthorized();
  if (tokenUse === 'cut') throw tokenCut();
  if (tokenUse === 'replaced' && answersTokens(handler)) throw tokenReplaced();
}
