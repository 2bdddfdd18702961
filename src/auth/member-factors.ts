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

/** Kinds that people register. A code by mail takes their place where it is admitted too, and asks nobody by itself. */
const REGISTERED: readonly string[] = ['totp', 'passkey'];
/** Stands for a device. */
const RECOVERY = 'recovery';

/** Whether an organization that admits these kinds asks its members for one of them. */
export const asksForFactor = (admitted: readonly string[]): boolean =>
  admitted.some((kind) => REGISTERED.includes(kind));

/**
 * Personal tokens are outside of it, so making one asks for what every organization of its person asks for.
 * @param admitted kinds that the organization admits
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
