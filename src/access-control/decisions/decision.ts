import type { Verdict } from '../gates/rule-finding.js';
import type { EnabledRule } from './enabled-rules.repository.js';

export interface JudgedRule {
  rule: EnabledRule;
  verdict: Verdict;
}

export type Decision =
  | { admitted: true; scopes: string[]; lists: string[] }
  /** `undecided`: a chain could not be read, and the known verdicts do not admit the user. */
  | { admitted: false; undecided: boolean; missing: EnabledRule[] };

/**
 * Turns verdicts into a decision. Rules with the outcome `siteAccess`, gates and allowlists alike, are alternatives:
 * one match suffices. Every rule with the outcome `block` must match. An unreadable rule never admits and never grants
 * a scope. Each matching rule grants its scope, if any, and a matching allowlist its name.
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
