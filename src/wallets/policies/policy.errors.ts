import { defineError } from '../../common/errors/index.js';

export const invalidPolicyRule = defineError({
  code: 'invalid_policy_rule',
  status: 422,
  message: 'The rule would not be enforced as it stands there.',
  hint: 'payload.reason says what is wrong with it.',
  cause:
    'Parts of the rule contradict each other, name something that the chain does not have, or ask for what nothing enforces.',
  fix: 'Change the rule as payload.reason says. docs/signing-policies.md has what rules can say.',
});

export const tooManyPolicyRules = defineError({
  code: 'too_many_policy_rules',
  status: 422,
  message: 'The policy has as many rules as it may have.',
  hint: 'Name several addresses in one rule, or delete rules.',
  cause: 'A signing policy has 100 rules at most.',
  fix: 'Delete rules that are no longer needed.',
});

export const refusedByPolicy = defineError({
  code: 'refused_by_signing_policy',
  status: 422,
  message: 'The signing policy of the environment does not allow this.',
  hint: 'payload.reason says why. Members see more of it with tryWaasPolicy.',
  cause:
    'Something that was to be signed fits a rule of the type deny, fits no rule of the type allow, or exceeds the limit of the rule that it fits; or the operation itself is restricted.',
  fix: 'Sign something that the policy allows, or have the team change the policy.',
});
