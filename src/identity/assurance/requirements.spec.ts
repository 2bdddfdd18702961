import { describe, expect, it } from '@jest/globals';
import type { PartialScope } from '../../auth/index.js';
import type { Executor } from '../../database/index.js';
import { AssuranceRequirements, type AssuranceRequirement, type AssuranceSubject } from './requirements.js';
import { ProfileRequirement } from './profile.requirement.js';

const nobody: Executor = { rows: async () => [], execute: async () => 0 };
const subject = { user: {} } as AssuranceSubject;
const step = (scope: PartialScope, isOutstanding: boolean): AssuranceRequirement => ({
  scope,
  outstanding: async () => (isOutstanding ? {} : null),
});
const apply = (steps: AssuranceRequirement[], scopes: string[] = []) => {
  const requirements = new AssuranceRequirements();
  for (const each of steps) requirements.register(each);
  return requirements.apply(subject, { scopes, lists: ['vips'] }, nobody);
};

describe('a token', () => {
  it('of a session with nothing outstanding says so, and what the rules grant', async () => {
    expect((await apply([step('userDataForm', false)], ['vip'])).scopes).toEqual(['user:basic', 'vip']);
  });

  it('names the most pressing step alone, in whatever order contexts registered', async () => {
    const steps = [step('userDataForm', true), step('requiresAdditionalAuth', true), step('device:register', true)];
    expect((await apply(steps, ['vip'])).scopes).toEqual(['device:register']);
    expect((await apply(steps.slice(0, 2), ['vip'])).scopes).toEqual(['requiresAdditionalAuth']);
    expect((await apply(steps.slice(0, 1), ['vip'])).scopes).toEqual(['userDataForm']);
  });

  it.each(['user:basic', 'userDataForm', 'device:register', 'requiresAdditionalAuth'])(
    'does not get %s from a rule',
    async (scope) => expect((await apply([], [scope])).scopes).toEqual(['user:basic']),
  );
});

describe('a profile', () => {
  const outstanding = (missing: { required: boolean }[] | undefined) =>
    new ProfileRequirement(new AssuranceRequirements()).outstanding({
      user: { missingFields: missing },
    } as AssuranceSubject);

  it('is outstanding while a required field is missing', async () => {
    expect(await outstanding([{ required: false }, { required: true }])).toEqual({});
    expect(await outstanding([{ required: false }])).toBeNull();
    expect(await outstanding(undefined)).toBeNull();
  });
});
