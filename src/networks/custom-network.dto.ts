import {
  defineEnum,
  EnumField,
  ListField,
  NumberField,
  OmitOf,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../common/fields/index.js';

export const CUSTOM_NETWORK_TYPES = defineEnum('CustomNetworkTypeEnum', [
  'ETH',
  'EVM',
  'FLOW',
  'SOL',
  'ALGO',
  'STARK',
  'COSMOS',
  'BTC',
  'ECLIPSE',
]);
export type CustomNetworkType = EnumValue<typeof CUSTOM_NETWORK_TYPES>;

/** A network that an organization runs or uses in addition to those the service knows. */
export class CustomNetwork {
  @UuidField()
  id!: string;

  @EnumField(CUSTOM_NETWORK_TYPES)
  networkType!: CustomNetworkType;

  @StringField({ max: 100 })
  chainName!: string;

  @StringField({
    max: 100,
    pattern: /^(?:0|[1-9][0-9]*)$/,
    description:
      'The number that the settings of an environment use for the network, without leading zeros. They accept numbers up to 9007199254740991.',
    example: '31337',
  })
  chainId!: string;

  @StringField({
    min: 1,
    max: 255,
    description:
      'https, a public hostname, port 443 or 8443, or an address that `EGRESS_ALLOW` of the deployment names: loopback, by default in development. It offers the JSON-RPC of the chain, or for BTC the Esplora API.',
  })
  rpcUrl!: string;

  @StringField({ min: 1, max: 255, description: 'An address like rpcUrl.' })
  blockExplorerUrl!: string;

  @StringField({ min: 1, max: 255, description: 'An address like rpcUrl.' })
  iconUrl!: string;

  @StringField({ max: 100 })
  nativeCurrencyName!: string;

  @StringField({ max: 100 })
  nativeCurrencySymbol!: string;

  @StringField({ min: 1, max: 255, description: 'An address like rpcUrl.' })
  nativeCurrencyIconUrl!: string;

  @NumberField({ min: 0, max: 18, description: 'An integer.' })
  nativeCurrencyDecimals!: number;
}

export class CustomNetworkRequest extends OmitOf(CustomNetwork, ['id']) {}

export class CustomNetworkResponse {
  @RefField(() => CustomNetwork, { optional: true })
  customNetwork?: CustomNetwork;
}

export class CustomNetworksResponse {
  @ListField(() => CustomNetworkResponse, { optional: true })
  customNetworks?: CustomNetworkResponse[];
}
