import { unreadable, verdictOf, type RuleFinding } from '../gates/rule-finding.js';
import type { JudgedRule } from './decision.js';
import type { EnabledRule } from './enabled-rules.repository.js';

/**
 * @param findings the results for the rules of gates, in order; null where nothing was checked
 * @param listed the allowlists that the user is on
 */
export function judge(
  enabled: readonly EnabledRule[],
  findings: readonly (RuleFinding | null)[],
  listed: ReadonlySet<string>,
): JudgedRule[] {
  let at = 0;
  return enabled.map((rule): JudgedRule => {
    if (!rule.rules) return { rule, verdict: listed.has(rule.id) ? 'met' : 'notMet' };
    const own = rule.rules.map((each) => findings[at++] ?? unreadable(each, 'not read'));
    return { rule, verdict: verdictOf(own) };
  });
}
