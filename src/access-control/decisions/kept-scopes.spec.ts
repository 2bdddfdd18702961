import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '../gates/rule-finding.js';
import type { AccessOutcome } from '../outcome.js';
import { keptScopes } from './kept-scopes.js';

const rule = (outcome: AccessOutcome, scope: string | null, verdict: Verdict) => ({
  rule: { kind: 'gate' as const, id: 'x', name: 'x', outcome, scope, rules: [] },
  verdict,
});

describe('scopes that were given', () => {
  it('stay while their rule is met, and go when it is not', () => {
    const judged = [rule('scope', 'a', 'met'), rule('scope', 'b', 'notMet')];
    expect(keptScopes(['a', 'b'], judged)).toEqual({ scopes: ['a'], isAdmitted: true, isUncertain: false });
  });

  it('never grow: what is earned anew comes with the next token', () => {
    const judged = [rule('scope', 'a', 'met'), rule('scope', 'b', 'met')];
    expect(keptScopes(['a'], judged).scopes).toEqual(['a']);
  });

  it('go when nobody would be let in any more, whatever else is met', () => {
    const judged = [rule('scope', 'a', 'met'), rule('block', null, 'notMet')];
    expect(keptScopes(['a'], judged)).toEqual({ scopes: [], isAdmitted: false, isUncertain: false });
  });

  it('are uncertain where a chain cannot be read, and only if they hang on it', () => {
    expect(keptScopes(['a'], [rule('scope', 'a', 'unreadable')])).toMatchObject({ scopes: [], isUncertain: true });
    expect(keptScopes([], [rule('scope', 'a', 'unreadable')])).toMatchObject({ isUncertain: false });
    expect(keptScopes(['a'], [rule('siteAccess', 'a', 'unreadable')])).toMatchObject({ isUncertain: true });
    const ways = [rule('siteAccess', null, 'notMet'), rule('siteAccess', 'a', 'unreadable')];
    expect(keptScopes(['a'], ways)).toMatchObject({ isAdmitted: false, isUncertain: true });
    expect(keptScopes(['a'], [rule('scope', 'a', 'met'), rule('scope', 'b', 'unreadable')])).toMatchObject({
      scopes: ['a'],
      isUncertain: false,
    });
  });

  it('go when there are no rules any more', () => {
    expect(keptScopes(['a'], [])).toEqual({ scopes: [], isAdmitted: true, isUncertain: false });
  });
});
