import {
  BooleanField,
  DateField,
  defineEnum,
  EnumField,
  JsonField,
  ListField,
  NumberField,
  RefField,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';
import { CHAINS, type Chain } from '../../networks/index.js';
import { ADDRESS, AMOUNT, NAME } from './ramp-fields.js';

const ORIGIN = {
  pattern: /^(https?|chrome-extension|moz-extension):\/\/(?!.*(\*).*(\*).*)[*a-zA-Z0-9._-]{1,256}(:[*0-9]{1,5})?$/,
} as const;

const PAYMENT_METHODS = defineEnum('CoinbaseOnrampOrderPaymentMethod', ['GUEST_CHECKOUT_APPLE_PAY']);
type PaymentMethod = EnumValue<typeof PAYMENT_METHODS>;

export class CoinbaseOnrampOrderCreateRequest {
  @DateField()
  agreementAcceptedAt!: Date;

  @StringField(ADDRESS)
  destinationAddress!: string;

  @StringField(NAME)
  destinationNetwork!: string;

  @StringField({ ...ORIGIN, optional: true })
  domain?: string;

  @BooleanField({ optional: true })
  isQuote?: boolean;

  @StringField({ min: 1, max: 255 })
  partnerUserRef!: string;

  @StringField({ ...AMOUNT, optional: true, description: 'Either this or `purchaseAmount`.' })
  paymentAmount?: string;

  @StringField(NAME)
  paymentCurrency!: string;

  @EnumField(PAYMENT_METHODS)
  paymentMethod!: PaymentMethod;

  @StringField({ ...AMOUNT, optional: true })
  purchaseAmount?: string;

  @StringField(NAME)
  purchaseCurrency!: string;
}

const FEE_TYPES = defineEnum('CoinbaseOnrampFeeType', ['FEE_TYPE_NETWORK', 'FEE_TYPE_EXCHANGE']);
const STATUSES = defineEnum('CoinbaseOnrampOrderStatus', [
  'ONRAMP_ORDER_STATUS_PENDING_AUTH',
  'ONRAMP_ORDER_STATUS_PENDING_PAYMENT',
  'ONRAMP_ORDER_STATUS_PROCESSING',
  'ONRAMP_ORDER_STATUS_COMPLETED',
  'ONRAMP_ORDER_STATUS_FAILED',
]);
const LINK_TYPES = defineEnum('CoinbaseOnrampOrderPaymentLinkType', ['PAYMENT_LINK_TYPE_APPLE_PAY_BUTTON']);

export class CoinbaseOnrampFee {
  @EnumField(FEE_TYPES)
  type!: EnumValue<typeof FEE_TYPES>;

  @StringField(AMOUNT)
  amount!: string;

  @StringField(NAME)
  currency!: string;
}

export class CoinbaseOnrampOrder {
  @UuidField()
  orderId!: string;

  @StringField(AMOUNT)
  paymentTotal!: string;

  @StringField(AMOUNT)
  paymentSubtotal!: string;

  @StringField(NAME)
  paymentCurrency!: string;

  @EnumField(PAYMENT_METHODS)
  paymentMethod!: PaymentMethod;

  @StringField(AMOUNT)
  purchaseAmount!: string;

  @StringField(NAME)
  purchaseCurrency!: string;

  @ListField(() => CoinbaseOnrampFee)
  fees!: CoinbaseOnrampFee[];

  @StringField(AMOUNT)
  exchangeRate!: string;

  @StringField(ADDRESS)
  destinationAddress!: string;

  @StringField(NAME)
  destinationNetwork!: string;

  @EnumField(STATUSES)
  status!: EnumValue<typeof STATUSES>;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;

  @StringField({ max: 4096, optional: true })
  txHash?: string;

  @StringField({ min: 1, max: 255, optional: true })
  partnerUserRef?: string;
}

export class CoinbaseOnrampOrderResponsePaymentLink {
  @StringField()
  url!: string;

  @EnumField(LINK_TYPES)
  paymentLinkType!: EnumValue<typeof LINK_TYPES>;
}

export class CoinbaseOnrampOrderResponse {
  @RefField(() => CoinbaseOnrampOrder)
  order!: CoinbaseOnrampOrder;

  @RefField(() => CoinbaseOnrampOrderResponsePaymentLink, { optional: true })
  paymentLink?: CoinbaseOnrampOrderResponsePaymentLink;
}

export class CryptoDotComPaymentCreateRequest {
  @NumberField({ description: 'An integer, in the smallest unit of the currency, such as cents.' })
  amount!: number;

  @StringField()
  currency!: string;

  @StringField({ min: 1, max: 255, optional: true })
  description?: string;

  @JsonField({ optional: true })
  metadata?: Record<string, unknown>;

  @StringField({ ...NAME, optional: true })
  orderId?: string;

  @StringField({ min: 1, max: 255, optional: true })
  subMerchantId?: string;

  @StringField(ADDRESS)
  walletAddress!: string;

  @StringField({ ...NAME, optional: true })
  networkId?: string;

  @EnumField(CHAINS)
  chain!: Chain;

  @StringField({ min: 1, max: 255, optional: true })
  merchantName?: string;
}

export class CryptoDotComPaymentResponse {
  @StringField()
  id!: string;

  @NumberField()
  amount!: number;

  @StringField()
  currency!: string;

  @NumberField({ optional: true })
  amountRefunded?: number;

  @NumberField({ optional: true, description: 'Seconds since the Unix epoch.' })
  created?: number;

  @StringField({ optional: true })
  cryptoCurrency?: string;

  @StringField({ optional: true })
  cryptoAmount?: string;

  @StringField({ optional: true })
  customerId?: string;

  @StringField()
  paymentUrl!: string;

  @StringField()
  qrCode!: string;

  @StringField({ optional: true })
  returnUrl?: string;

  @StringField({ optional: true })
  cancelUrl?: string;

  @StringField({ optional: true })
  description?: string;

  @BooleanField({ optional: true })
  liveMode?: boolean;

  @JsonField({ optional: true })
  metadata?: Record<string, unknown>;

  @StringField({ optional: true })
  orderId?: string;

  @StringField({ optional: true })
  recipient?: string;

  @BooleanField({ optional: true })
  refunded?: boolean;

  @StringField()
  status!: string;

  @NumberField({ optional: true })
  expiredAt?: number;
}
