import {
  BooleanField,
  EnumField,
  IntegerField,
  ListField,
  NumberField,
  RefField,
  StringField,
} from '../../common/fields/index.js';
import { QueryBoolean } from '../../common/fields/query-fields.js';
import { NetworkListField, QueryNetwork, QueryTexts, TextListField } from '../fields.js';
import { CHAINS, type Chain } from '../catalogue/chains.js';

/** What an account holds of one token, or of the currency of the network. */
export class TokenBalance {
  @IntegerField({ optional: true })
  networkId?: number;

  @StringField({
    description:
      'The contract or mint. The native currency of the network is the zero address on EVM, the system program on Solana, `0x2::sui::SUI`, or `bitcoin`.',
  })
  address!: string;

  @StringField({ description: 'Empty if neither a token list nor the token has one.' })
  name!: string;

  @StringField()
  symbol!: string;

  @IntegerField()
  decimals!: number;

  @StringField({ description: 'Empty if no token list has one.' })
  logoURI!: string;

  @NumberField()
  balance!: number;

  @NumberField({
    description: 'In the smallest unit, with the precision of a JSON number; `exactBalance` has every digit.',
  })
  rawBalance!: number;

  @StringField({ optional: true, description: 'In the smallest unit.', example: '1500000' })
  exactBalance?: string;

  @NumberField({
    optional: true,
    description: 'US dollars for one; absent if no current rate is known, and for currencies of custom networks.',
  })
  price?: number;

  @NumberField({ optional: true, description: 'US dollars.' })
  marketValue?: number;

  @NumberField({ optional: true, description: 'Not known to the service.' })
  liquidityPoolSizeUsd?: number;

  @StringField({ optional: true, description: 'Not known to the service.' })
  totalSupply?: string;

  @BooleanField({ optional: true })
  isNative?: boolean;
}

const CONTRACTS = 'Tokens to look up even if they are on no token list, and to show even if they may be spam.';

export class AccountBalancesQuery {
  @QueryNetwork({ optional: true, description: 'Defaults to all networks of the chain that the settings enable.' })
  networkId?: number;

  @StringField()
  accountAddress!: string;

  @QueryBoolean({ optional: true, description: 'Default false.' })
  includePrices?: boolean;

  @QueryBoolean({ optional: true, description: 'Default true.' })
  includeNative?: boolean;

  @QueryBoolean({ optional: true, description: 'Omits tokens that are on no token list. Default true.' })
  filterSpamTokens?: boolean;

  @QueryTexts({ optional: true, most: 50, longest: 255, description: CONTRACTS })
  whitelistedContracts?: string[];

  @QueryBoolean({ optional: true, description: 'Bypasses cached values, at most ten times a minute.' })
  forceRefresh?: boolean;
}

export class MultichainAccountBalancesRequestBalanceRequests {
  @StringField()
  address!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @NetworkListField({ most: 20 })
  networkIds!: number[];

  @TextListField({ optional: true, most: 50, longest: 255, description: CONTRACTS })
  whitelistedContracts?: string[];
}

export class MultichainAccountBalancesRequest {
  @BooleanField({ optional: true, default: true })
  filterSpamTokens?: boolean;

  @ListField(() => MultichainAccountBalancesRequestBalanceRequests, { min: 1, max: 5 })
  balanceRequests!: MultichainAccountBalancesRequestBalanceRequests[];
}

/** Why the answer has no balances for a network. */
export class NetworkProblem {
  @StringField({ example: 'chain_unreadable' })
  code!: string;

  @StringField()
  message!: string;
}

export class MultichainAccountBalanceResponseNetworks {
  @IntegerField({ optional: true })
  networkId?: number;

  @ListField(() => TokenBalance, { optional: true, description: 'Absent if there is an `error`.' })
  balances?: TokenBalance[];

  @RefField(() => NetworkProblem, { optional: true })
  error?: NetworkProblem;
}

export class MultichainAccountBalanceResponseChainBalances {
  @StringField()
  walletAddress!: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @ListField(() => MultichainAccountBalanceResponseNetworks)
  networks!: MultichainAccountBalanceResponseNetworks[];
}

export class MultichainAccountBalanceResponse {
  @ListField(() => MultichainAccountBalanceResponseChainBalances)
  chainBalances!: MultichainAccountBalanceResponseChainBalances[];
}
