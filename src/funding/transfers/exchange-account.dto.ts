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
  @QueryNumber({ optional: true, description: 'With a chain: shows what can be transferred on this network.' })
  networkId?: number;

  @EnumField(CHAINS, { optional: true, description: 'Shows what can be transferred on this chain.' })
  chainName?: Chain;
}

export class TransactionsQuery {
  @UuidField({ optional: true, description: 'Limits the list to one account; otherwise the first ten accounts.' })
  accountId?: string;
}

export class AccountBalances {
  @StringField()
  currency!: string;

  @NumberField()
  balance!: number;

  @NumberField({ optional: true })
  availableBalance?: number;

  @StringField({ optional: true, description: 'Not provided by exchanges.' })
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

  @StringField({ optional: true, description: 'The requested chain.' })
  chain?: string;
}

export class ExchangeTransaction {
  @StringField({ min: 1, max: 255, optional: true })
  transactionId?: string;

  @StringField({ min: 1, max: 255, optional: true })
  transactionHash?: string;

  @StringField({ optional: true, description: "The exchange's own word for the status." })
  status?: string;

  @NumberField({ optional: true, description: 'Negative for outgoing amounts.' })
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

  @BooleanField({ description: 'Whether payouts can go only to these addresses.' })
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

  @StringField({ min: 1, max: 50, optional: true, description: "The exchange's name for the network, such as `base`." })
  network?: string;

  @RefField(() => CreateExchangeTransferRequestNetworkObject, { optional: true })
  networkObject?: CreateExchangeTransferRequestNetworkObject;

  @UuidField({
    optional: true,
    description: 'Identifies the payout, which is sent once however often it is requested. Send it with every attempt.',
  })
  id?: string;

  @StringField({ min: 1, max: 255, optional: true })
  description?: string;

  @StringField({ min: 1, max: 50, optional: true, description: 'The code that the exchange sent to the person.' })
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
      "The exchange's own status once it has the payout; before that `sending`, or `unknown` while it is not known whether the exchange has it. Repeat the request with the same `id`.",
  })
  status?: string;

  @NumberField()
  amount!: number;

  @StringField()
  currency!: string;

  @DateField({ optional: true })
  createdAt?: Date;
}

/** A payout in events: without its recipient and purpose. */
export class ExchangeTransferPayload extends ExchangeTransferResponse {
  @UuidField()
  userId!: string;

  @EnumField(EXCHANGES)
  exchange!: ExchangeKey;
}
