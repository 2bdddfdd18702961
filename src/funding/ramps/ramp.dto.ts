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
  @StringField({ ...PLAIN, description: 'The account that receives what is bought, or sells.' })
  walletAddress!: string;

  @StringField({ ...PLAIN, description: 'For example `EVM`, `SOL` or `BTC`.' })
  chain!: string;

  @StringField({ ...PLAIN, optional: true, description: 'On EVM, the chain id; defaults to Ethereum.' })
  networkId?: string;

  @StringField({ ...PLAIN, optional: true, description: 'A symbol; defaults to the native currency of the network.' })
  token?: string;
}

export class OnrampsQuery extends OfframpsQuery {
  @QueryNumber({ optional: true })
  tokenAmount?: number;

  @QueryBoolean({
    optional: true,
    description: "Also lists ramps that are set up but disabled; these link to the vendor's home page.",
  })
  includeDisabled?: boolean;

  @StringField({ ...PLAIN, optional: true, description: 'The payment currency, such as `USD`.' })
  currency?: string;

  @StringField({
    ...PLAIN,
    optional: true,
    description: 'The merchant name to show; none of the current vendors uses it.',
  })
  merchantName?: string;
}

export class RampConfiguration {
  @EnumField(PROVIDER_KINDS)
  provider!: ProviderKind;

  @StringField()
  name!: string;

  @StringField({ description: 'A data URL of the image (RFC 2397).' })
  iconUrl!: string;

  @StringField({ description: 'Where to send the person. For some vendors, single-use and valid for five minutes.' })
  url!: string;

  @StringField({ optional: true, description: 'Never set: the code of `url` can be drawn by the client.' })
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
