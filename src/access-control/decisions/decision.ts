import type { Verdict } from '../gates/rule-finding.js';
import type { EnabledRule } from './enabled-rules.repository.js';

export interface JudgedRule {
  rule: EnabledRule;
  verdict: Verdict;
}

export type Decision =
  | { admitted: true; scopes: string[]; lists: string[] }
  /** `undecided`: a chain could not be read, and what is known does not admit. */
  | { admitted: false; undecided: boolean; missing: EnabledRule[] };

/**
 * From verdicts to a decision. Rules of the outcome `siteAccess` are alternatives, gates and allowlists alike: one that
 * applies is enough. Each rule of the outcome `block` must apply. What cannot be read never admits, and never gives a
 * scope. Whatever applies gives its scope, if it has one, and an allowlist its name.
 */
export function decide(judged: readonly JudgedRule[]): Decision {
  const met = judged.filter(({ verdict }) => verdict === 'met');
  const alternatives = judged.filter(({ rule }) => rule.outcome === 'siteAccess');
  const isOpen = alternatives.length === 0 || alternatives.some(({ verdict }) => verdict === 'met');
  const demands = judged.filter(({ rule, verdict }) => rule.outcome === 'block' && verdict !== 'met');
  if (!isOpen || demands.length > 0) {
    const isDenied =
      demands.some(({ verdict }) => verdict === 'notMet') ||
      (!isOpen && alternatives.every(({ verdict }) => verdict === 'notMet'));
    const missing = [...(isOpen ? [] : alternatives), ...demands].map(({ rule }) => rule);
    return { admitted: false, undecided: !isDenied, missing };
  }
  return {
    admitted: true,
    scopes: [...new Set(met.flatMap(({ rule }) => rule.scope ?? []))],
    lists: met.filter(({ rule }) => rule.kind === 'allowlist').map(({ rule }) => rule.name),
  };
}
