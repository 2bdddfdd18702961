import {
  BooleanField,
  defineEnum,
  EnumField,
  ListField,
  StringField,
  StringListField,
  type EnumValue,
} from '../../common/fields/index.js';
import { QueryBoolean } from '../../common/fields/query-fields.js';
import { PROVIDER_KINDS, type ProviderKind } from '../../providers/index.js';
import { QueryNumber } from '../query-number.js';
import { ADDRESS, AMOUNT, NAME } from './ramp-fields.js';

const PLAIN = { pattern: /^[a-zA-Z0-9 _.,:!?&%@/'-]*$/, max: 255 } as const;

export class OfframpsQuery {
  @StringField({ ...PLAIN, description: 'Whose money it is.' })
  walletAddress!: string;

  @StringField({ ...PLAIN, description: 'Such as `EVM`, `SOL` or `BTC`.' })
  chain!: string;

  @StringField({ ...PLAIN, optional: true, description: 'On EVM the chain id; defaults to Ethereum.' })
  networkId?: string;

  @StringField({ ...PLAIN, optional: true, description: 'A symbol; defaults to the native currency of the network.' })
  token?: string;
}

export class OnrampsQuery extends OfframpsQuery {
  @QueryNumber({ optional: true })
  tokenAmount?: number;

  @QueryBoolean({
    optional: true,
    description: 'Also ramps that are set up and switched off; they lead to the start page of the vendor.',
  })
  includeDisabled?: boolean;

  @StringField({ ...PLAIN, optional: true, description: 'What is paid with, such as `USD`.' })
  currency?: string;

  @StringField({
    ...PLAIN,
    optional: true,
    description: 'For vendors that show the name of a merchant; none of these does.',
  })
  merchantName?: string;
}

export class RampConfiguration {
  @EnumField(PROVIDER_KINDS)
  provider!: ProviderKind;

  @StringField()
  name!: string;

  @StringField({ description: 'An address with the picture in it (RFC 2397).' })
  iconUrl!: string;

  @StringField({ description: 'The address to open. For some vendors it can be used once, within five minutes.' })
  url!: string;

  @StringField({ optional: true })
  qrCode?: string;
}

export class SupportedOnrampsResponse {
  @ListField(() => RampConfiguration, { optional: true })
  onramps?: RampConfiguration[];
}

export class SupportedOfframpsResponse {
  @ListField(() => RampConfiguration, { optional: true })
  offramps?: RampConfiguration[];
}

const EXPERIENCES = defineEnum('CoinbaseOnrampBuyUrlExperience', ['buy', 'send']);

export class CoinbaseOnrampGetBuyUrlRequest {
  @StringListField({ optional: true, minLength: 1, maxLength: 50, most: 100 })
  assets?: string[];

  @StringField({ ...NAME, optional: true })
  defaultNetwork?: string;

  @StringField({ ...NAME, optional: true })
  defaultAsset?: string;

  @EnumField(EXPERIENCES, { optional: true })
  defaultExperience?: EnumValue<typeof EXPERIENCES>;

  @StringField({ ...NAME, optional: true })
  defaultPaymentMethod?: string;

  @StringField(ADDRESS)
  destinationAddress!: string;

  @StringField({ ...NAME, optional: true })
  fiatCurrency?: string;

  @BooleanField({ optional: true })
  handlingRequestedUrls?: boolean;

  @StringListField({ minLength: 1, maxLength: 50, most: 50 })
  networks!: string[];

  @StringField({ min: 1, max: 255, optional: true })
  partnerUserRef?: string;

  @StringField({ ...AMOUNT, optional: true })
  presetCryptoAmount?: string;

  @StringField({ ...AMOUNT, optional: true })
  presetFiatAmount?: string;

  @StringField({ optional: true })
  redirectUrl?: string;
}

export class CoinbaseOnrampGetBuyUrlResponse {
  @StringField()
  url!: string;
}
