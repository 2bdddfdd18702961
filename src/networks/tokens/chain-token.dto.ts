import { IntegerField, ListField, StringField } from '../../common/fields/index.js';
import { QueryNetwork } from '../fields.js';

export class ChainTokenAddress {
  @IntegerField()
  networkId!: number;

  @StringField()
  contractAddress!: string;
}

/** A token with its contract on each network. */
export class ChainToken {
  @StringField()
  name!: string;

  @StringField()
  symbol!: string;

  @ListField(() => ChainTokenAddress)
  tokenAddresses!: ChainTokenAddress[];
}

export class ChainTokensQuery {
  @QueryNetwork({ optional: true, description: 'Only tokens of this network.' })
  networkId?: number;
}
