import {
  BooleanField,
  DateField,
  EnumField,
  ListField,
  NumberField,
  RefField,
  StringField,
  StringListField,
  UuidField,
} from '../../common/fields/index.js';
import { CHAINS, type Chain } from '../../networks/index.js';
import { EXCHANGES, type ExchangeKey } from '../exchanges/exchange.dto.js';
import { QueryNumber } from '../query-number.js';

const ADDRESS = { pattern: /^[A-Za-z0-9]+$/, max: 255 } as const;

export class AccountsQuery {
  @QueryNumber({ optional: true, description: 'With a chain: what can be moved on this network.' })
  networkId?: number;

  @EnumField(CHAINS, { optional: true, description: 'What can be moved on this chain.' })
  chainName?: Chain;
}

export class TransactionsQuery {
  @UuidField({ optional: true, description: 'One account; otherwise the first ten.' })
  accountId?: string;
}

export class AccountBalances {
  @StringField()
  currency!: string;

  @NumberField()
  balance!: number;

  @NumberField({ optional: true })
  availableBalance?: number;

  @StringField({ optional: true, description: 'The exchanges have none.' })
  logoURI?: string;
}

export class Account {
  @UuidField()
  id!: string;

  @EnumField(EXCHANGES)
  exchange!: ExchangeKey;

  @StringField({ optional: true })
  type?: string;

  @ListField(() => AccountBalances)
  balances!: AccountBalances[];

  @StringField({ optional: true })
  name?: string;

  @StringField({ optional: true, description: 'The chain that was asked for.' })
  chain?: string;
}

export class ExchangeTransaction {
  @StringField({ min: 1, max: 255, optional: true })
  transactionId?: string;

  @StringField({ min: 1, max: 255, optional: true })
  transactionHash?: string;

  @StringField({ optional: true, description: 'In the words of the exchange.' })
  status?: string;

  @NumberField({ optional: true, description: 'Below zero for what went out.' })
  amount?: number;

  @StringField({ optional: true })
  currency?: string;

  @DateField({ optional: true })
  createdAt?: Date;
}

export class TransferDestination {
  @StringField(ADDRESS)
  address!: string;

  @StringListField({ optional: true })
  tokens?: string[];
}

export class TransferDestinationResponse {
  @ListField(() => TransferDestination)
  destinations!: TransferDestination[];

  @BooleanField({ description: 'Whether payouts go to these addresses alone.' })
  enforcesAddressWhitelist!: boolean;
}

export class CreateExchangeTransferRequestNetworkObject {
  @StringField({ min: 1, max: 50 })
  networkId!: string;

  @EnumField(CHAINS)
  chainName!: Chain;
}

export class CreateExchangeTransferRequest {
  @StringField({ min: 1, max: 255 })
  to!: string;

  @NumberField({ min: 0 })
  amount!: number;

  @StringField({ min: 1, max: 50 })
  currency!: string;

  @StringField({ min: 1, max: 50, optional: true, description: 'In the words of the exchange, such as `base`.' })
  network?: string;

  @RefField(() => CreateExchangeTransferRequestNetworkObject, { optional: true })
  networkObject?: CreateExchangeTransferRequestNetworkObject;

  @UuidField({
    optional: true,
    description:
      'Identifies the payout: however often the call is repeated, it is sent once. Send it with every attempt.',
  })
  id?: string;

  @StringField({ min: 1, max: 255, optional: true })
  description?: string;

  @StringField({ min: 1, max: 50, optional: true, description: 'What the exchange has sent to the person.' })
  mfaCode?: string;
}

export class ExchangeTransferResponse {
  @UuidField()
  id!: string;

  @UuidField({ optional: true })
  exchangeAccountId?: string;

  @StringField({
    optional: true,
    description:
      'The status given by the exchange once it has the payout; before that `sending`, or `unknown` if it is unclear whether the exchange has it. Repeat the call with the same `id`.',
  })
  status?: string;

  @NumberField()
  amount!: number;

  @StringField()
  currency!: string;

  @DateField({ optional: true })
  createdAt?: Date;
}

/** A payout as events tell it: neither where it goes nor what it was for. */
export class ExchangeTransferPayload extends ExchangeTransferResponse {
  @UuidField()
  userId!: string;

  @EnumField(EXCHANGES)
  exchange!: ExchangeKey;
}
