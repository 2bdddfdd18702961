import {
  AnyField,
  BooleanField,
  defineEnum,
  EnumField,
  IntegerField,
  ListField,
  RefField,
  StringField,
  StringListField,
  UuidField,
} from '../../common/fields/index.js';

export class PlanPromotionRequest {
  @UuidField({ description: 'The source: another environment of the same organization.' })
  fromEnvironmentId!: string;

  @BooleanField({ optional: true, description: 'Whether to remove from the target what the source does not have.' })
  prune?: boolean;

  @StringListField({
    optional: true,
    minLength: 1,
    maxLength: 500,
    description: 'What to leave unchanged: a part, or a prefix such as `settings/chains`.',
    example: ['settings/chains', 'webhooks'],
  })
  except?: string[];
}

export class ApplyPromotionRequest extends PlanPromotionRequest {
  @StringField({
    description: 'The `digest` of the plan that was read. If the current plan differs, nothing is written.',
    example: 'a'.repeat(64),
  })
  digest!: string;
}

export const PROMOTED_KINDS = defineEnum('PromotedEnvironmentKind', ['sandbox', 'live', 'console']);

export class PromotedEnvironment {
  @UuidField()
  environmentId!: string;

  @EnumField(PROMOTED_KINDS)
  kind!: 'sandbox' | 'live' | 'console';
}

export const PROMOTION_ACTIONS = defineEnum('PromotionAction', ['add', 'change', 'remove']);

export class PromotionChange {
  @EnumField(PROMOTION_ACTIONS)
  action!: 'add' | 'change' | 'remove';

  @StringField()
  key!: string;

  @AnyField({ optional: true, description: 'The value of the target; absent if there is none.' })
  before?: unknown;

  @AnyField({ optional: true, description: 'The value of the source; absent if there is none.' })
  after?: unknown;
}

export class PromotionLeftItem {
  @StringField()
  key!: string;

  @StringField({ description: 'Why the difference remains, or what it lacks.' })
  reason!: string;
}

export class PromotionPartPlan {
  @StringField({ example: 'origins' })
  part!: string;

  @ListField(() => PromotionChange)
  changes!: PromotionChange[];

  @ListField(() => PromotionLeftItem, { description: 'Differences that remain.' })
  left!: PromotionLeftItem[];

  @ListField(() => PromotionLeftItem, {
    optional: true,
    description:
      'Changes that the environment would reject, such as enabling something without its secret, and what is missing. A plan with any such change cannot be applied.',
  })
  refused?: PromotionLeftItem[];
}

export class PromotionPlanResponse {
  @IntegerField({ min: 1 })
  version!: number;

  @RefField(() => PromotedEnvironment)
  from!: PromotedEnvironment;

  @RefField(() => PromotedEnvironment)
  to!: PromotedEnvironment;

  @BooleanField()
  prune!: boolean;

  @StringListField()
  except!: string[];

  @ListField(() => PromotionPartPlan, { description: 'Parts without differences are omitted.' })
  parts!: PromotionPartPlan[];

  @StringField({ description: 'SHA-256 over both environments and the changes, in hexadecimal.' })
  digest!: string;
}
