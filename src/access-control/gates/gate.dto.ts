import {
  DateField,
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  OmitOf,
  PatchOf,
  RefField,
  StringField,
  UuidField,
  defineEnum,
  type EnumValue,
} from '../../common/fields/index.js';
import { CHAINS, type Chain } from '../../identity/index.js';
import { ACCESS_OUTCOMES, type AccessOutcome } from '../outcome.js';

export const GATE_RULE_TYPES = defineEnum('GateRuleType', ['nft', 'token']);

export class TokenAddress {
  @IntegerField({
    description: 'The number of a catalogue network or a custom network of the organization.',
    example: 1,
  })
  networkId!: number;

  @StringField({
    max: 255,
    pattern: /^[A-Za-z0-9]+$/,
    description:
      'The contract, or the mint on Solana. The zero address, and 11111111111111111111111111111111 on Solana, stand for the native coin.',
    example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  })
  contractAddress!: string;
}

export class GateRuleFilter {
  @StringField({
    optional: true,
    description: 'One token of an ERC-721 or ERC-1155 contract: decimal, or hex after 0x; at most 2^256 - 1.',
    example: '7',
  })
  tokenId?: string;

  @NumberField({
    optional: true,
    description:
      'The minimum that all wallets of a user must hold together, in whole tokens: 1.5 is 1500000 base units of a token with 6 decimals. If absent, any amount above zero.',
    example: 1.5,
  })
  amount?: number;
}

export class GateRule {
  @EnumField(GATE_RULE_TYPES)
  type!: EnumValue<typeof GATE_RULE_TYPES>;

  @RefField(() => TokenAddress)
  address!: TokenAddress;

  @RefField(() => GateRuleFilter, { optional: true })
  filter?: GateRuleFilter;

  @EnumField(CHAINS, {
    optional: true,
    description: 'Defaults to the chain implied by the form of the address.',
    example: 'EVM',
  })
  chain?: Chain;
}

/** A set of rules on the holdings of a user's wallets, all of which must be met. */
export class Gate {
  @UuidField()
  id!: string;

  @StringField({ description: '1 to 255 characters.', example: 'Holders' })
  name!: string;

  @EnumField(ACCESS_OUTCOMES, {
    description:
      'scope: users to whom it applies are granted the scope. siteAccess: users are let in if at least one enabled rule with this outcome applies to them. block: users to whom it does not apply are refused.',
    example: 'scope',
  })
  outcome!: AccessOutcome;

  @StringField({
    optional: true,
    description: '1 to 64 of A-Z a-z 0-9 : . _ -, but not a scope that the service itself uses.',
    example: 'holder',
  })
  scope?: string;

  @DateField({ optional: true, nullable: true })
  enabledAt?: Date | null;

  @ListField(() => GateRule, { description: '1 to 20 rules, all of which must hold.' })
  rules!: GateRule[];
}

export class GateCreateRequest extends OmitOf(Gate, ['id', 'enabledAt']) {}
export class GateUpdateRequest extends PatchOf(GateCreateRequest) {}

export class GatesResponse {
  @ListField(() => Gate, { optional: true })
  gates?: Gate[];
}
