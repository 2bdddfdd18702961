import { defineError, unauthorized } from '../common/errors/index.js';

/** The scope of a token when nothing is outstanding. */
export const COMPLETE_SCOPE = 'user:basic';

/** Steps that may be outstanding, in order of precedence. A token then has the first of them as its only scope. */
export const PARTIAL_SCOPES = ['device:register', 'requiresAdditionalAuth', 'userDataForm'] as const;
export type PartialScope = (typeof PARTIAL_SCOPES)[number];

/** The scope of a token for key share backups. */
export const BACKUP_SCOPE = 'waasBackupToken';

/** Whether only the service itself may put this scope into tokens; no rule of an environment may grant it. */
export const isReservedScope = (scope: string): boolean =>
  scope === COMPLETE_SCOPE ||
  scope === BACKUP_SCOPE ||
  scope.startsWith('requires') ||
  (PARTIAL_SCOPES as readonly string[]).includes(scope);

export const sessionIncomplete = defineError({
  code: 'session_incomplete',
  status: 403,
  message: 'This session may not do this yet: a step of the sign-in is outstanding.',
  hint: 'Finish the sign-in.',
  cause:
    'The scope of the token names what is outstanding: `userDataForm` a required field of the profile, `requiresAdditionalAuth` a second factor, `device:register` the confirmation of a new device.',
  fix: 'Do what the scope names, then call with the token of that answer, or of refreshAuth if that answer has none. `missingFields` of the user lists the fields. A user without a second factor registers one (registerTotpMfaDevice, registerPasskeyMfaDevice).',
});

const HINTS: Record<PartialScope, string> = {
  'device:register': 'Confirm this device with the message that was sent, then use the token of that answer.',
  requiresAdditionalAuth:
    'Give the second factor, and use the token of that answer. Whoever has none registers one; then call refreshAuth for a new token.',
  userDataForm: 'Fill in the missing fields with updateSelf, then use the token of that answer.',
};

/**
 * Admits a complete session, or one whose outstanding step is allowed by the operation.
 * @param documents403 if false, an incomplete session gets a 401, since the operation documents no 403
 */
export function assertComplete(
  scopes: readonly string[],
  { admits = [], documents403 = true }: { admits?: readonly PartialScope[]; documents403?: boolean } = {},
): void {
  const outstanding = PARTIAL_SCOPES.find((scope) => scopes.includes(scope));
  if (!outstanding && scopes.includes(COMPLETE_SCOPE)) return;
  if (outstanding && admits.includes(outstanding)) return;
  const details = outstanding && { hint: HINTS[outstanding] };
  throw documents403 ? sessionIncomplete(details) : unauthorized(details);
}
