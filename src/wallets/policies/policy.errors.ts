import { defineError } from '../../common/errors/index.js';

export const invalidPolicyRule = defineError({
  code: 'invalid_policy_rule',
  status: 422,
  message: 'The rule cannot be enforced as written.',
  hint: 'payload.reason says what is wrong with it.',
  cause:
    'Parts of the rule contradict each other, refer to something that the chain does not have, or cannot be enforced.',
  fix: 'Change the rule according to payload.reason. docs/signing-policies.md explains what rules can contain.',
});

export const tooManyPolicyRules = defineError({
  code: 'too_many_policy_rules',
  status: 422,
  message: 'The policy has reached the limit of rules.',
  hint: 'Name several addresses in one rule, or delete rules.',
  cause: 'A signing policy has 100 rules at most.',
  fix: 'Delete rules that are no longer needed.',
});

export const refusedByPolicy = defineError({
  code: 'refused_by_signing_policy',
  status: 422,
  message: 'The signing policy of the environment does not allow this.',
  hint: 'payload.reason says why. Members can see the details with tryWaasPolicy.',
  cause:
    'Part of the request matches a deny rule, matches no allow rule, or exceeds the limit of the rule that it matches; or the operation itself is restricted.',
  fix: 'Sign something that the policy allows, or have the team change the policy.',
});
