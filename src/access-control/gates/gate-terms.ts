import { isVisible } from '../../common/visible-text.js';
import { outcomeProblem, type AccessOutcome } from '../outcome.js';
import type { Gate, GateCreateRequest } from './gate.dto.js';
import type { GateRow } from './gate.entity.js';
import { invalidGate, nftGatingNotSupported } from './gate.errors.js';
import { heldRuleOf, MAX_RULES, type HeldRule, type RuleProblem } from './gate-rules.js';

/** The configurable fields of a gate, without its id and enabled state. */
export interface GateTerms {
  name: string;
  outcome: AccessOutcome;
  scope: string | null;
  rules: HeldRule[];
}

/** Normalises and validates. @throws invalidGate, nftGatingNotSupported */
export function termsOf({ name, outcome, scope = '', rules }: GateCreateRequest): GateTerms {
  const problems: RuleProblem[] = [];
  const say = (message: string | null): void => void (message !== null && problems.push({ message }));
  if (!isVisible(name) || name.length > 255) say('name: a gate needs a name of at most 255 characters');
  const kept = scope === '' ? null : scope;
  say(outcomeProblem(outcome, kept));
  if (rules.length === 0 || rules.length > MAX_RULES) say(`rules: 1 to ${MAX_RULES} rules, not ${rules.length}`);
  const held = rules.slice(0, MAX_RULES).flatMap((rule, at): HeldRule[] => {
    const found = heldRuleOf(rule, at);
    if (!Array.isArray(found)) return [found];
    problems.push(...found);
    return [];
  });
  if (problems.length > 0) {
    const payload = { additionalMessages: problems.map(({ message }) => message) };
    throw problems.some(({ isNftUnsupported }) => isNftUnsupported)
      ? nftGatingNotSupported({ payload })
      : invalidGate({ payload });
  }
  return { name: name.trim(), outcome, scope: kept, rules: held };
}

export const shown = ({ id, name, outcome, scope, enabledAt, rules }: GateRow): Gate => ({
  ...{ id, name, outcome, enabledAt, rules },
  ...(scope !== null && { scope }),
});
