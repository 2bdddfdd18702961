import { ELEVATED_SCOPES, TOKEN_SCOPES } from '../auth/index.js';
import { defineEnum, type EnumValue } from '../common/fields/index.js';

/**
 * What a rule decides. `scope`: grants its scope to users who match. `siteAccess`: users are admitted when at least one
 * enabled rule with this outcome matches. `block`: users who do not match are refused, whatever else matches.
 */
export const ACCESS_OUTCOMES = defineEnum('AccessOutcomeEnum', ['scope', 'siteAccess', 'block']);
export type AccessOutcome = EnumValue<typeof ACCESS_OUTCOMES>;

const SCOPE = /^[A-Za-z0-9:._-]{1,64}$/;
/** Scopes that the service itself issues, now or possibly later: tenants' rules must not grant them. */
const RESERVED =
  /^(requires|user:|userdataform$|waasbackuptoken$|device:|environment\.|organization|waas\.|mfa|wallet:|credential:|admin)/i;

/** Why a rule cannot grant a scope; null when it can. */
export function scopeProblem(scope: string): string | null {
  if (!SCOPE.test(scope)) return 'scope: use 1 to 64 of the characters A-Z a-z 0-9 : . _ -';
  const isTaken = [...TOKEN_SCOPES.values, ...ELEVATED_SCOPES.values].some(
    (known) => known.toLowerCase() === scope.toLowerCase(),
  );
  return isTaken || RESERVED.test(scope) ? `scope: ${scope} is reserved for the service itself` : null;
}

/** Why outcome and scope are incompatible; null when they are not. */
export function outcomeProblem(outcome: AccessOutcome, scope: string | null): string | null {
  if (scope !== null) return scopeProblem(scope);
  return outcome === 'scope' ? 'scope: the outcome scope needs one' : null;
}
