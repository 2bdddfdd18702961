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
  @UuidField({ optional: true, description: 'This, address, or both.' })
  userId?: string;

  @StringField({
    optional: true,
    max: 255,
    pattern: /^[A-Za-z0-9]+$/,
    description:
      'A wallet to test in addition to those of the user, on whichever chain a rule is about; it need not belong to anyone.',
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

  @StringField({ optional: true, description: 'What must be held at least, in base units.' })
  threshold?: string;

  @StringField({ optional: true, description: 'What all wallets hold together, in base units.' })
  total?: string;

  @IntegerField({ optional: true })
  decimals?: number;

  @ListField(() => GateTrialHolding)
  holdings!: GateTrialHolding[];

  @StringField({ optional: true, description: 'The block, or slot, of the answer.' })
  blockNumber?: string;

  @IntegerField({ optional: true, description: 'How old the answer is; at most 60.' })
  ageSeconds?: number;

  @StringField({ optional: true, description: 'Given if the numbers alone do not explain the result.' })
  reason?: string;
}

/** How a gate judges, and what by. */
export class GateTrial {
  @UuidField()
  gateId!: string;

  @EnumField(GATE_VERDICTS)
  verdict!: Verdict;

  @ListField(() => GateTrialRule)
  rules!: GateTrialRule[];
}
