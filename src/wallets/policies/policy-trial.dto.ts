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

  @RefField(() => SignWithEmbeddedWalletRequest, { description: 'What its user would send to be signed.' })
  request!: SignWithEmbeddedWalletRequest;
}

export class WaasPolicyTrialFinding {
  @RefField(() => NamedPolicyRule)
  rule!: NamedPolicyRule;

  @EnumField(ANSWERS, { description: 'Whether the rule fits. Unknown denies, and never allows.' })
  fits!: Answer;

  @StringField({ description: 'What decided it: chain, network, address, function, arguments or asset.' })
  because!: string;
}

/** One thing that the signature would agree to, as its bytes say. */
export class WaasPolicyTrialEffect {
  @StringField({
    optional: true,
    nullable: true,
    description: 'Null if there is none, absent if the bytes do not determine it.',
  })
  to?: string | null;

  @StringField({ optional: true, description: 'Base units of the coin of the chain; absent where it is unknown.' })
  value?: string;

  @StringField({
    optional: true,
    description: 'A token that is moved, or that someone else is allowed to move from then on.',
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
