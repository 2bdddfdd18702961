import { ELEVATED_SCOPES, TOKEN_SCOPES } from '../auth/index.js';
import { defineEnum, type EnumValue } from '../common/fields/index.js';

/**
 * What a rule decides. `scope`: whom it applies to is given its scope. `siteAccess`: people come in when at least one
 * enabled rule of this outcome applies to them. `block`: whoever it does not apply to stays out, whatever else applies.
 */
export const ACCESS_OUTCOMES = defineEnum('AccessOutcomeEnum', ['scope', 'siteAccess', 'block']);
export type AccessOutcome = EnumValue<typeof ACCESS_OUTCOMES>;

const SCOPE = /^[A-Za-z0-9:._-]{1,64}$/;
/** What the service itself puts into tokens, or may come to: a rule of a team must not hand it out. */
const RESERVED =
  /^(requires|user:|userdataform$|waasbackuptoken$|device:|environment\.|organization|waas\.|mfa|wallet:|credential:|admin)/i;

/** Why a scope cannot be given to users by a rule; null when it can. */
export function scopeProblem(scope: string): string | null {
  if (!SCOPE.test(scope)) return 'scope: use 1 to 64 of the characters A-Z a-z 0-9 : . _ -';
  const isTaken = [...TOKEN_SCOPES.values, ...ELEVATED_SCOPES.values].some(
    (known) => known.toLowerCase() === scope.toLowerCase(),
  );
  return isTaken || RESERVED.test(scope) ? `scope: ${scope} is reserved for the service itself` : null;
}

/** Why outcome and scope do not fit each other; null when they do. */
export function outcomeProblem(outcome: AccessOutcome, scope: string | null): string | null {
  if (scope !== null) return scopeProblem(scope);
  return outcome === 'scope' ? 'scope: the outcome scope needs one' : null;
}
