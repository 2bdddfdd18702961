import { decide, type JudgedRule } from './decision.js';

/** What is left of what somebody was given. */
export interface KeptScopes {
  /** Never more than before: what is earned anew comes with the next token. */
  scopes: string[];
  /** Whether they would still be let in. */
  isAdmitted: boolean;
  /** A chain could not be read, and on it hangs something that was given. */
  isUncertain: boolean;
}

/** What the rules say now about scopes that they have given before. */
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
