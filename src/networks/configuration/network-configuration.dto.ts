import {
  BooleanField,
  ListField,
  NumberField,
  RefField,
  StringField,
  StringListField,
} from '../../common/fields/index.js';

export class NameService {
  @StringField({ optional: true })
  registry?: string;
}

export class NativeCurrency {
  @NumberField()
  decimals!: number;

  @StringField()
  name!: string;

  @StringField()
  symbol!: string;

  @StringField({ optional: true })
  denom?: string;

  @StringField({ optional: true })
  iconUrl?: string;

  @StringField({ optional: true })
  pricingProviderTokenId?: string;
}

export class NetworkConfiguration {
  @StringField({ optional: true })
  lcdUrl?: string;

  @StringField({ optional: true })
  chainName?: string;

  @StringField({ optional: true, description: 'The CAIP-2 id of a network of the catalogue.', example: 'eip155:1' })
  key?: string;

  @StringField()
  name!: string;

  @StringField()
  shortName!: string;

  @BooleanField({ optional: true })
  isTestnet?: boolean;

  @StringField()
  chain!: string;

  @StringField()
  chainId!: string;

  @RefField(() => NameService, { optional: true, description: 'The ENS registry, on Ethereum and Sepolia.' })
  nameService?: NameService;

  @StringField()
  networkId!: string;

  @StringListField()
  iconUrls!: string[];

  @RefField(() => NativeCurrency)
  nativeCurrency!: NativeCurrency;

  @StringListField()
  rpcUrls!: string[];

  @StringListField({ optional: true, description: 'Configured for this network in the settings; use these first.' })
  privateCustomerRpcUrls?: string[];

  @StringListField()
  blockExplorerUrls!: string[];

  @StringField({ optional: true, description: "The network's name in the settings." })
  vanityName?: string;

  @StringField({ optional: true })
  bech32Prefix?: string;

  @StringField({ optional: true })
  genesisHash?: string;

  @StringField({ optional: true })
  cluster?: string;
}

/** The enabled networks of one chain. */
export class NetworkConfigurationResponse {
  @StringField({ optional: true })
  chainName?: string;

  @ListField(() => NetworkConfiguration, { optional: true })
  networks?: NetworkConfiguration[];
}
