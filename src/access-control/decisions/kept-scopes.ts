import { decide, type JudgedRule } from './decision.js';

/** What remains of an earlier grant. */
export interface KeptScopes {
  /** Only scopes granted before: newly earned ones come with the next token. */
  scopes: string[];
  /** Whether the user would still be admitted. */
  isAdmitted: boolean;
  /** A chain that part of the grant depends on could not be read. */
  isUncertain: boolean;
}

/** Re-evaluates previously granted scopes against the current rules. */
export function keptScopes(before: readonly string[], judged: readonly JudgedRule[]): KeptScopes {
  const decision = decide(judged);
  if (!decision.admitted) return { scopes: [], isAdmitted: false, isUncertain: decision.undecided };
  const scopes = before.filter((scope) => decision.scopes.includes(scope));
  const lost = before.filter((scope) => !scopes.includes(scope));
  const isUncertain = judged.some(
    ({ rule, verdict }) => verdict === 'unreadable' && rule.scope !== null && lost.includes(rule.scope),
  );
  return { scopes, isAdmitted: true, isUncertain };
}
