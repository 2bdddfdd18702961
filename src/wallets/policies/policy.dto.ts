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

/** A list of at most 100 JSON objects, not described further in the API document. */
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

/** Any JSON value except null; parsing the rule validates it. */
const ValueField = <const O extends FieldOptions>(options: O): FieldDecorator<unknown> =>
  declareField({ options, rules: [IsDefined()], schema: { anyOf: [{}] } });

export class WaasPolicyArgumentConstraint {
  @EnumField(OPERATORS)
  operator!: ConstraintOperator;

  @ValueField({
    description:
      'A decimal number as text or a whole number; an address, bytes, text or a boolean for `equal` and `notEqual`. Not null.',
    example: '1000000',
  })
  value!: unknown;

  @IntegerField({ min: 0, description: 'Index of the argument, from 0.' })
  index!: number;
}

export class WaasPolicyRuleValueLimit {
  @StringField({
    optional: true,
    nullable: true,
    description:
      'The contract or mint of a token: the rule then allows its plain transfers and approvals. Absent or null: the native coin of the chain.',
  })
  asset?: string | null;

  @StringField({
    optional: true,
    pattern: AMOUNT,
    description: 'Base units, total per signature, without network fees.',
    example: '1000000',
  })
  maxPerCall?: string;

  @StringField({
    optional: true,
    pattern: AMOUNT,
    description: 'Base units, total of all signatures per wallet that this rule has allowed, without fees.',
    example: '5000000',
  })
  totalLimit?: string;
}

export class WaasPolicyRuleOperationRestrictions {
  @BooleanField({ optional: true, description: 'Keys of wallets on this chain cannot be exported.' })
  blockExport?: boolean;

  @BooleanField({ optional: true, description: 'Refused: users can always revoke access to their wallets.' })
  blockRevocation?: boolean;

  @BooleanField({ optional: true, description: 'Users cannot sign with wallets on this chain.' })
  blockClientSigning?: boolean;
}

export class WaasPolicyRule {
  @UuidField({ optional: true, description: 'Assigned by the service; identifies the rule for changes.' })
  ruleId?: string;

  @StringField({ example: 'Payments to the shop' })
  name!: string;

  @EnumField(RULE_TYPES, {
    description:
      'Content that matches, or may match, a deny rule is not signed. If there are allow rules, everything that a signature authorises must match one of them.',
  })
  ruleType!: EnumValue<typeof RULE_TYPES>;

  @StringField({ optional: true, nullable: true, description: 'Superseded by `addresses`.' })
  address?: string | null;

  @StringListField({
    optional: true,
    description: 'Addressed receivers, contracts, programs or packages. If absent, any.',
  })
  addresses?: string[];

  @EnumField(WAAS_CHAINS)
  chain!: WaasChain;

  @NumberField({ optional: true, description: 'Superseded by `chainIds`.' })
  chainId?: number;

  @NumberListField({ optional: true, description: 'EVM networks. If absent, any.' })
  chainIds?: number[];

  @ObjectListField({ optional: true, description: 'Must contain the function that `functionName` names.' })
  contractAbi?: Record<string, unknown>[];

  @StringField({
    optional: true,
    description:
      'A function of `contractAbi`; without an ABI, the primary type of typed data, such as `Permit`. Other names are refused.',
  })
  functionName?: string;

  @ListField(() => WaasPolicyArgumentConstraint, { optional: true, description: 'All must hold.' })
  argumentConstraints?: WaasPolicyArgumentConstraint[];

  @RefField(() => WaasPolicyRuleValueLimit, { optional: true, description: 'For allow rules.' })
  valueLimit?: WaasPolicyRuleValueLimit;

  @RefField(() => WaasPolicyRuleOperationRestrictions, {
    optional: true,
    description: 'For deny rules whose only condition is the chain: what its wallets cannot do at all.',
  })
  operationRestrictions?: WaasPolicyRuleOperationRestrictions;
}

/** The signing policy of an environment. */
export class WaasPolicyResponse {
  @StringField({ optional: true, description: 'Summary of the effect of the rules.' })
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

/** A policy as published when it is created or changed. */
export class SigningPolicyState extends OmitOf(WaasPolicyResponse, ['message']) {}

export class WaasPolicyCreateRequest {
  @ListField(() => WaasPolicyRule, { most: MOST_RULES, description: 'At least one, without `ruleId`.' })
  rulesToAdd!: WaasPolicyRule[];
}

export class WaasPolicyUpdateRequest {
  @ListField(() => WaasPolicyRule, {
    most: MOST_RULES,
    description: 'Complete rules, each with the `ruleId` of the rule that it replaces.',
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
