import {
  BooleanField,
  defineEnum,
  EnumField,
  ListField,
  RefField,
  StringField,
  UuidField,
} from '../../common/fields/index.js';
import { SignWithEmbeddedWalletRequest } from '../signing/signing.dto.js';
import { NamedPolicyRule } from './policy.dto.js';
import type { Answer } from './policy-judgement.js';

const ANSWERS = defineEnum('WaasPolicyFitEnum', ['yes', 'no', 'unknown']);

export class WaasPolicyTrialRequest {
  @UuidField({ description: 'An embedded wallet of the environment.' })
  walletId!: string;

  @RefField(() => SignWithEmbeddedWalletRequest, { description: 'The request that its user would send for signing.' })
  request!: SignWithEmbeddedWalletRequest;
}

export class WaasPolicyTrialFinding {
  @RefField(() => NamedPolicyRule)
  rule!: NamedPolicyRule;

  @EnumField(ANSWERS, {
    description: 'Whether the rule matches. Unknown counts as a match for deny, and never for allow.',
  })
  fits!: Answer;

  @StringField({ description: 'What decided the result: chain, network, address, function, arguments or asset.' })
  because!: string;
}

/** One effect of the signature, as read from its bytes. */
export class WaasPolicyTrialEffect {
  @StringField({
    optional: true,
    nullable: true,
    description: 'Null if there is no receiver, absent if the bytes leave it open.',
  })
  to?: string | null;

  @StringField({ optional: true, description: "Base units of the chain's native coin; absent if unknown." })
  value?: string;

  @StringField({
    optional: true,
    description: 'A token that is transferred, or that somebody else will be allowed to transfer.',
  })
  asset?: string;

  @StringField({ optional: true, description: 'Base units of that token.' })
  amount?: string;

  @BooleanField()
  allowed!: boolean;

  @StringField()
  reason!: string;

  @ListField(() => WaasPolicyTrialFinding)
  rules!: WaasPolicyTrialFinding[];
}

/** What the policy would say, and why. */
export class WaasPolicyTrial {
  @BooleanField()
  allowed!: boolean;

  @StringField()
  reason!: string;

  @ListField(() => WaasPolicyTrialEffect)
  effects!: WaasPolicyTrialEffect[];
}
