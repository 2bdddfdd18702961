import {
  EnumField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  UuidField,
  defineEnum,
} from '../../common/fields/index.js';
import { GateRule } from './gate.dto.js';
import type { Verdict } from './rule-finding.js';

export const GATE_VERDICTS = defineEnum('GateVerdictEnum', ['met', 'notMet', 'unreadable']);

export class GateTrialQuery {
  @UuidField({ optional: true, description: 'A user id. Give this, `address`, or both.' })
  userId?: string;

  @StringField({
    optional: true,
    max: 255,
    pattern: /^[A-Za-z0-9]+$/,
    description: 'One more wallet, for rules on any chain, in addition to those of the user; nobody has to own it.',
  })
  address?: string;
}

export class GateTrialHolding {
  @StringField()
  address!: string;

  @StringField({ description: 'Base units.' })
  amount!: string;
}

export class GateTrialRule {
  @RefField(() => GateRule)
  rule!: GateRule;

  @EnumField(GATE_VERDICTS)
  verdict!: Verdict;

  @StringField({ optional: true, description: 'Minimum that must be held, in base units.' })
  threshold?: string;

  @StringField({ optional: true, description: 'Total held by all wallets, in base units.' })
  total?: string;

  @IntegerField({ optional: true })
  decimals?: number;

  @ListField(() => GateTrialHolding)
  holdings!: GateTrialHolding[];

  @StringField({ optional: true, description: 'The block, or slot, of the answer.' })
  blockNumber?: string;

  @IntegerField({ optional: true, description: 'How old the answer is; at most 60.' })
  ageSeconds?: number;

  @StringField({ optional: true, description: 'Given if the numbers do not explain the result.' })
  reason?: string;
}

/** A gate's verdict and the findings behind it. */
export class GateTrial {
  @UuidField()
  gateId!: string;

  @EnumField(GATE_VERDICTS)
  verdict!: Verdict;

  @ListField(() => GateTrialRule)
  rules!: GateTrialRule[];
}
