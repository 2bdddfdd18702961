import { describe, expect, it } from '@jest/globals';
import type { PartialScope } from '../../auth/index.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { AssuranceRequirement, AssuranceRequirements, type AssuranceSubject } from './requirements.js';
import { ProfileRequirement } from './profile.requirement.js';

const nobody: Executor = { rows: async () => [], execute: async () => 0 };
const subject = { user: {} } as AssuranceSubject;
class Step extends AssuranceRequirement {
  constructor(
    readonly scope: PartialScope,
    private readonly isOutstanding: boolean,
  ) {
    super();
  }

  override async outstanding() {
    return this.isOutstanding ? {} : null;
  }
}
const step = (scope: PartialScope, isOutstanding: boolean): AssuranceRequirement => new Step(scope, isOutstanding);
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

describe('an account', () => {
  class ByMail extends Step {
    override async isTakenByMail() {
      return true;
    }
  }
  const areTakenByMail = (...steps: AssuranceRequirement[]) => {
    const requirements = new AssuranceRequirements();
    for (const each of steps) requirements.register(each);
    return requirements.areTakenByMail('e' as EnvironmentId);
  };

  it('is protected by its mailbox where any step is taken there, and by a step that says nothing of it is not', async () => {
    const other = step('userDataForm', true);
    expect(await areTakenByMail()).toBe(false);
    expect(await areTakenByMail(other)).toBe(false);
    expect(await areTakenByMail(other, new ByMail('device:register', false))).toBe(true);
  });
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
