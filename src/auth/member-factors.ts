import { defineError } from '../common/errors/index.js';
import type { DashboardUserPrincipal } from './principal.js';

export const memberFactorRequired = defineError({
  code: 'member_factor_required',
  status: 403,
  message: 'This organization asks its members for a second factor.',
  hint: 'Give a second factor in this session of the console with one of its mfa/auth operations, then call with the token of that answer.',
  cause:
    'The organization admits kinds of second factors that people register, and the session was opened by a first factor alone or with a kind that is not admitted.',
  fix: 'Register a device with registerTotpMfaDevice or registerPasskeyMfaDevice of the console environment, which counts at once; from then on it is asked for at each sign-in.',
});

/** Factors that people register. A code by mail can replace them if allowed, but alone does not make factors mandatory. */
const REGISTERED: readonly string[] = ['totp', 'passkey'];
/** A recovery code, accepted in place of a registered factor. */
const RECOVERY = 'recovery';

/** Whether an organization that allows these kinds of factors requires one of its members. */
export const asksForFactor = (admitted: readonly string[]): boolean =>
  admitted.some((kind) => REGISTERED.includes(kind));

/**
 * Personal tokens are exempt, so creating one requires what all organizations of the member require.
 * @param admitted kinds of factors that the organization allows
 * @throws ApiError 403 `member_factor_required`
 */
export function assertMemberFactor(
  { sessionId, amr = [] }: Pick<DashboardUserPrincipal, 'sessionId' | 'amr'>,
  admitted: readonly string[],
): void {
  if (sessionId === undefined || !asksForFactor(admitted)) return;
  if (amr.includes(RECOVERY) || amr.some((method) => admitted.includes(method))) return;
  throw memberFactorRequired();
}
