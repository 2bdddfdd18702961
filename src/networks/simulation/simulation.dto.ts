import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { declareField } from '../../common/fields/declare-field.js';
import { TextListField } from '../fields.js';
import type { FieldDecorator } from '../../common/fields/field-types.js';
import {
  BooleanField,
  defineEnum,
  EnumField,
  JsonField,
  ListField,
  NumberField,
  RefField,
  StringField,
  StringListField,
  type EnumValue,
} from '../../common/fields/index.js';
import { EXAMPLE_PAYER, EXAMPLE_PAYMENT } from '../example-payment.js';

const RESULTS = defineEnum('TransactionRiskResult', ['Benign', 'Warning', 'Malicious', 'Error']);

export class Asset {
  @StringField({ nullable: true, description: 'The contract or mint; null for the currency of the network.' })
  address!: string | null;

  @NumberField({ optional: true })
  chainId?: number;

  @StringField()
  chainName!: string;

  @NumberField()
  decimals!: number;

  @StringField()
  logoUrl!: string;

  @StringField()
  name!: string;

  @StringField()
  symbol!: string;

  @StringField({ description: '`NATIVE`, `ERC20`, `ERC721`, `ERC1155` or `SPL`.' })
  type!: string;
}

export class AssetTransfer {
  @StringField({ optional: true, description: 'In the smallest unit; for an NFT, the number of items.' })
  rawValue?: string;

  @StringField({ optional: true })
  summary?: string;

  @StringField({ optional: true, description: 'US dollars for the whole amount; absent if no current rate is known.' })
  usdPrice?: string;

  @StringField({ optional: true })
  value?: string;
}

export class AssetDiff {
  @RefField(() => Asset)
  asset!: Asset;

  @ListField(() => AssetTransfer)
  transferIn!: AssetTransfer[];

  @ListField(() => AssetTransfer)
  transferOut!: AssetTransfer[];
}

export class PriceData {
  @NumberField({ optional: true })
  nativeTokenUsdPrice?: number;
}

export class TransactionRiskValidation {
  @EnumField(RESULTS, { nullable: true })
  result!: EnumValue<typeof RESULTS> | null;

  @StringField({ optional: true })
  description?: string;

  @StringField()
  reason!: string;

  @StringField({ optional: true })
  classification?: string;
}

export class AssetExposureSpenderToInfo {
  @StringField({ description: '`unlimited`, or an amount in units of the token.' })
  amount!: string;

  @StringField({ optional: true, description: 'Not known to the service.' })
  spenderAlias?: string;

  @StringField({
    optional: true,
    description: 'US dollars for the whole amount; absent if it is unlimited or no current rate is known.',
  })
  usdValue?: string;
}

/** An object of {@link AssetExposureSpenderToInfo} by spender address. For responses only. */
const SpendersField = (): FieldDecorator<Record<string, AssetExposureSpenderToInfo>> =>
  declareField({
    options: {},
    rules: [],
    schema: {
      type: 'object',
      additionalProperties: { $ref: getSchemaPath(AssetExposureSpenderToInfo) },
    } as never,
  });

@ApiExtraModels(AssetExposureSpenderToInfo)
export class AssetExposure {
  @RefField(() => Asset)
  asset!: Asset;

  @SpendersField()
  spenderToInfo!: Record<string, AssetExposureSpenderToInfo>;
}

export class SimulateTransactionResponse {
  @ListField(() => AssetDiff, { description: 'Assets that the account receives.' })
  inAssets!: AssetDiff[];

  @ListField(() => AssetDiff, { description: 'Assets that the account gives. Network fees are not included on EVM.' })
  outAssets!: AssetDiff[];

  @StringListField({ optional: true, description: 'Addresses that the account gives to or receives from.' })
  counterparties?: string[];

  @RefField(() => PriceData)
  priceData!: PriceData;

  @BooleanField({ description: 'Whether every asset has a price.' })
  showTotalFiat!: boolean;

  @RefField(() => TransactionRiskValidation, { optional: true })
  validation?: TransactionRiskValidation;

  @ListField(() => AssetExposure, { optional: true, description: 'Allowances granted to others.' })
  assetExposures?: AssetExposure[];
}

const EXAMPLE_ACCOUNT = '0x52908400098527886E0F7030069857D2E4169EE7';
const ADDRESS = { max: 255, pattern: /^[A-Za-z0-9]+$/, example: EXAMPLE_ACCOUNT } as const;
const UNUSED = 'Accepted for compatibility. The result depends on the chain alone.';

export class SimulateEVMTransactionRequest {
  @StringField({ min: 1, max: 255, description: 'The number of the network, in decimal or hex.', example: '11155111' })
  chainId!: string;

  @StringField({ min: 1, description: 'Hex; `0x` for none.', example: '0x' })
  data!: string;

  @StringField(ADDRESS)
  from!: string;

  @StringField(ADDRESS)
  to!: string;

  @StringField({ min: 1, max: 255, description: 'Wei, in decimal or hex.', example: '0' })
  value!: string;

  @StringField({ optional: true, min: 1, max: 255, description: UNUSED })
  domain?: string;
}

export class SimulateUserOpRequest {
  @StringField({ min: 1, max: 255, description: 'The number of the network, in decimal or hex.', example: '11155111' })
  chainId!: string;

  @JsonField({
    maxBytes: 65_536,
    description:
      'In the bundler format (ERC-7769). With a signature it goes through validation; without one it is only executed.',
    example: { sender: EXAMPLE_ACCOUNT, callData: '0x' },
  })
  operation!: Record<string, unknown>;

  @StringField(ADDRESS)
  entryPoint!: string;

  @StringField({ optional: true, min: 1, max: 255, description: UNUSED })
  domain?: string;

  @StringField({ min: 1, max: 255, description: UNUSED, example: '0' })
  value!: string;
}

export class SimulateSVMTransactionRequest {
  @StringField({
    pattern: /^[a-z0-9]{1,10}$/,
    description: '`solana` or `mainnet`, `devnet`, `testnet`, `eclipse`, or the number of a network.',
    example: 'mainnet',
  })
  chain!: string;

  @TextListField({ most: 5, longest: 4_096, description: 'Base64 or base58.', example: [EXAMPLE_PAYMENT] })
  transactions!: string[];

  @StringField({ pattern: /^[1-9A-HJ-NP-Za-km-z]{43,44}$/, example: EXAMPLE_PAYER })
  accountAddress!: string;

  @StringField({ optional: true, min: 1, max: 255, description: UNUSED })
  domain?: string;

  @StringField({ min: 1, max: 255, description: UNUSED, example: 'signTransaction' })
  method!: string;
}
