import { ArrayMaxSize, IsArray, IsDefined, IsObject } from 'class-validator';
import {
  BooleanField,
  DateField,
  defineEnum,
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  OmitOf,
  PickOf,
  RefField,
  StringField,
  StringListField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { declareField } from '../../common/fields/declare-field.js';
import type { FieldOptions } from '../../common/fields/field-meta.js';
import type { Declared, FieldDecorator } from '../../common/fields/field-types.js';
import { NumberListField } from './number-list-field.js';

export const WAAS_CHAINS = defineEnum('WaasChainEnum', ['EVM', 'SVM', 'SUI', 'BTC', 'TON']);
export type WaasChain = EnumValue<typeof WAAS_CHAINS>;

const RULE_TYPES = defineEnum('WaasPolicyRuleType', ['allow', 'deny']);
const OPERATORS = defineEnum('WaasPolicyConstraintCondition', [
  ...(['equal', 'greater', 'less', 'greaterEqual', 'lessEqual', 'notEqual'] as const),
]);
export type ConstraintOperator = EnumValue<typeof OPERATORS>;

/** A number of base units. */
const AMOUNT = /^[0-9]+$/;
const MOST_RULES = 100;

/** A list of at most 100 JSON objects, of which the document says nothing more. */
function ObjectListField<const O extends FieldOptions>(
  options: O,
): FieldDecorator<Declared<Record<string, unknown>[], O>> {
  return declareField({
    options,
    rules: [IsArray(), ArrayMaxSize(100), IsObject({ each: true })],
    schema: { type: 'array', items: { type: 'object' } } as never,
    list: true,
  });
}

/** Any JSON value but null; the rule says what it takes. */
const ValueField = <const O extends FieldOptions>(options: O): FieldDecorator<unknown> =>
  declareField({ options, rules: [IsDefined()], schema: { anyOf: [{}] } });

export class WaasPolicyArgumentConstraint {
  @EnumField(OPERATORS)
  operator!: ConstraintOperator;

  @ValueField({
    description: 'A decimal number as text or a whole number; an address, bytes or text for `equal` and `notEqual`.',
    example: '1000000',
  })
  value!: unknown;

  @IntegerField({ min: 0, description: 'Which argument, counted from 0.' })
  index!: number;
}

export class WaasPolicyRuleValueLimit {
  @StringField({
    optional: true,
    nullable: true,
    description:
      'The contract or mint of a token: the rule then allows its plain transfers and approvals. Absent or null: the coin of the chain.',
  })
  asset?: string | null;

  @StringField({
    optional: true,
    pattern: AMOUNT,
    description: 'Base units, of one signature together, without the fee of the network.',
    example: '1000000',
  })
  maxPerCall?: string;

  @StringField({
    optional: true,
    pattern: AMOUNT,
    description: 'Base units, of all signatures of one wallet that this rule has allowed, without fees.',
    example: '5000000',
  })
  totalLimit?: string;
}

export class WaasPolicyRuleOperationRestrictions {
  @BooleanField({ optional: true, description: 'Keys of wallets on this chain are not exported.' })
  blockExport?: boolean;

  @BooleanField({ optional: true, description: 'Refused: a user who gave access to a wallet can always revoke it.' })
  blockRevocation?: boolean;

  @BooleanField({ optional: true, description: 'Users do not sign with wallets on this chain.' })
  blockClientSigning?: boolean;
}

export class WaasPolicyRule {
  @UuidField({ optional: true, description: 'Given by the service; names the rule that is to be changed.' })
  ruleId?: string;

  @StringField({ example: 'Payments to the shop' })
  name!: string;

  @EnumField(RULE_TYPES, {
    description:
      'Anything that matches, or could match, a deny rule is not signed. If there are allow rules, every effect of a signature has to match one of them.',
  })
  ruleType!: EnumValue<typeof RULE_TYPES>;

  @StringField({ optional: true, nullable: true, description: 'Superseded by `addresses`.' })
  address?: string | null;

  @StringListField({
    optional: true,
    description: 'Receivers, contracts, programs or packages that are addressed. Absent: any.',
  })
  addresses?: string[];

  @EnumField(WAAS_CHAINS)
  chain!: WaasChain;

  @NumberField({ optional: true, description: 'Superseded by `chainIds`.' })
  chainId?: number;

  @NumberListField({ optional: true, description: 'Networks of EVM. Absent: any.' })
  chainIds?: number[];

  @ObjectListField({ optional: true, description: 'Has to have the function that `functionName` names.' })
  contractAbi?: Record<string, unknown>[];

  @StringField({
    optional: true,
    description: 'A function of `contractAbi`; without that, the primary type of typed data, such as `Permit`.',
  })
  functionName?: string;

  @ListField(() => WaasPolicyArgumentConstraint, { optional: true, description: 'All have to hold.' })
  argumentConstraints?: WaasPolicyArgumentConstraint[];

  @RefField(() => WaasPolicyRuleValueLimit, { optional: true, description: 'With rules of the type allow.' })
  valueLimit?: WaasPolicyRuleValueLimit;

  @RefField(() => WaasPolicyRuleOperationRestrictions, {
    optional: true,
    description: 'With the type deny and no condition besides the chain: what is not done with its wallets at all.',
  })
  operationRestrictions?: WaasPolicyRuleOperationRestrictions;
}

/** The signing policy of an environment. */
export class WaasPolicyResponse {
  @StringField({ optional: true, description: 'What the rules amount to.' })
  message?: string;

  @StringField()
  policyId!: string;

  @UuidField()
  projectEnvironmentId!: string;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;

  @ListField(() => WaasPolicyRule)
  policyContent!: WaasPolicyRule[];
}

/** What is told of a policy that was made or changed. */
export class SigningPolicyState extends OmitOf(WaasPolicyResponse, ['message']) {}

export class WaasPolicyCreateRequest {
  @ListField(() => WaasPolicyRule, { most: MOST_RULES, description: 'At least one, without `ruleId`.' })
  rulesToAdd!: WaasPolicyRule[];
}

export class WaasPolicyUpdateRequest {
  @ListField(() => WaasPolicyRule, {
    most: MOST_RULES,
    description: 'Each whole, with the `ruleId` of what it replaces.',
  })
  rulesToUpdate!: WaasPolicyRule[];
}

export class WaasPolicyDeleteRequest {
  @StringListField({ most: MOST_RULES, format: 'uuid' })
  ruleIdsToDelete!: string[];
}

export class NamedPolicyRule extends PickOf(WaasPolicyRule, ['name', 'ruleType']) {
  @UuidField()
  ruleId!: string;
}
