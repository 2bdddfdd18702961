import {
  DateField,
  defineEnum,
  EnumField,
  EnumListField,
  ListField,
  NumberField,
  RefField,
  StringField,
  StringListField,
  type EnumValue,
} from '../../common/fields/index.js';
import { QueryInteger } from '../../common/fields/query-fields.js';
import { QueryNetwork } from '../fields.js';
import { CHAINS, type Chain } from '../catalogue/chains.js';

const LABELS = defineEnum('WalletTransactionType', ['sent', 'receive', 'swap']);
export type TransactionLabel = EnumValue<typeof LABELS>;

export class WalletTransactionAssetTransferMetadata {
  @StringField({
    optional: true,
    description: 'From a token list; of other tokens on EVM, what the token calls itself.',
  })
  name?: string;

  @StringField({ optional: true, description: 'Like the name.' })
  symbol?: string;

  @NumberField({ optional: true })
  decimals?: number;

  @StringField({ optional: true, description: 'Absent if no token list has one.' })
  imageUri?: string;
}

export class WalletTransactionAssetTransfer {
  @StringField({ optional: true, min: 1, max: 255, description: 'Absent for the native currency of the network.' })
  tokenAddress?: string;

  @StringField({ min: 1, max: 255 })
  fromAddress!: string;

  @StringField({ min: 1, max: 255 })
  toAddress!: string;

  @NumberField()
  amount!: number;

  @RefField(() => WalletTransactionAssetTransferMetadata, { optional: true })
  metadata?: WalletTransactionAssetTransferMetadata;
}

export class WalletTransaction {
  @StringField({ min: 1, max: 255 })
  transactionHash!: string;

  @NumberField()
  blockNumber!: number;

  @DateField()
  transactionTimestamp!: Date;

  @StringField({ min: 1, max: 255 })
  blockHash!: string;

  @StringListField()
  blockExplorerUrls!: string[];

  @StringField({ min: 1, max: 255 })
  fromAddress!: string;

  @StringField({ min: 1, max: 255 })
  toAddress!: string;

  @EnumListField(LABELS)
  labels!: TransactionLabel[];

  @ListField(() => WalletTransactionAssetTransfer)
  assetTransfers!: WalletTransactionAssetTransfer[];

  @EnumField(CHAINS)
  chainName!: Chain;

  @NumberField()
  networkId!: number;
}

export class WalletTransactionsResponse {
  @ListField(() => WalletTransaction)
  transactions!: WalletTransaction[];

  @StringField({ optional: true, description: 'The `offset` of the next page; absent on the last.' })
  nextOffset?: string;
}

export class WalletTransactionsQuery {
  @QueryNetwork()
  networkId!: number;

  @QueryInteger({ optional: true, min: 1, max: 100, description: 'Default 25; the chain may return fewer.' })
  limit?: number;

  @StringField({ optional: true, description: 'The `nextOffset` of the previous page.' })
  offset?: string;
}
