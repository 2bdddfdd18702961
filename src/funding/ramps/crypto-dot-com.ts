import { Injectable } from '@nestjs/common';
import { assertPlainJson } from '../../common/http/body.js';
import { isWebAddress } from '../../common/web-address.js';
import { VendorClient, VendorUnavailableError, type VendorQuestion } from '../../networks/index.js';
import { ProviderAddresses, type EnabledProvider } from '../../providers/index.js';
import {
  amountIn,
  bodyOf,
  isUndecided,
  numberOf,
  reasonIn,
  recordOf,
  textOf,
  VendorRefusal,
} from '../vendor-refusal.js';
import type { CryptoDotComPaymentCreateRequest, CryptoDotComPaymentResponse } from './ramp-order.dto.js';

const VENDOR = 'cryptoDotCom';
const API = 'https://pay.crypto.com/api';

/** https://pay-docs.crypto.com: payments, authenticated by the merchant's secret key (RFC 7617, without a password). */
@Injectable()
export class CryptoDotCom {
  constructor(
    private readonly vendors: VendorClient,
    private readonly addresses: ProviderAddresses,
  ) {}

  /** @throws VendorUnavailableError, VendorRefusal */
  create(record: EnabledProvider, request: CryptoDotComPaymentCreateRequest): Promise<CryptoDotComPaymentResponse> {
    const { returnUrl, cancelUrl } = record.configuration;
    const { amount, currency, description, metadata, orderId, subMerchantId, merchantName } = request;
    // The wallet is sent as metadata: the documented payment has no field for it.
    const { walletAddress, chain, networkId } = request;
    const body = {
      amount,
      currency: currency.toUpperCase(),
      description,
      order_id: orderId,
      sub_merchant_id: subMerchantId,
      return_url: returnUrl,
      cancel_url: cancelUrl,
      metadata: {
        ...metadata,
        wallet_address: walletAddress,
        chain,
        network_id: networkId,
        merchant_name: merchantName,
      },
    };
    return this.call(record, { method: 'POST', path: '/payments', body: JSON.stringify(body), key: null });
  }

  find(record: EnabledProvider, id: string): Promise<CryptoDotComPaymentResponse> {
    return this.call(record, { method: 'GET', path: `/payments/${encodeURIComponent(id)}`, key: record.id });
  }

  private call(
    record: EnabledProvider,
    { path, ...call }: Pick<VendorQuestion, 'method' | 'body' | 'key'> & { path: string },
  ): Promise<CryptoDotComPaymentResponse> {
    const urls = [`${this.addresses.of(VENDOR).api ?? API}${path}`];
    return record.withSecret((secret) => {
      const authorization = `Basic ${Buffer.from(`${secret}:`).toString('base64')}`;
      const headers = { authorization, 'content-type': 'application/json' };
      return this.vendors.json({ vendor: VENDOR, urls, headers, refusal, ...call }, paymentOf);
    });
  }
}

function refusal(status: number, text: string): Error | null {
  if (status === 401 || status === 403) return null;
  if (isUndecided(status)) return new VendorUnavailableError(VENDOR, 'garbage');
  const { type, code } = recordOf(bodyOf(text)['error']);
  return new VendorRefusal(VENDOR, status, reasonIn(code ?? type));
}

type Read = (value: unknown) => unknown;
const booleanOf: Read = (value) => (typeof value === 'boolean' ? value : null);
/** An object as this service takes them itself: one that is nested too deeply could not be written into the answer. */
const objectOf: Read = (value) => {
  try {
    assertPlainJson(value);
    return recordOf(value) === value ? value : null;
  } catch {
    return null;
  }
};

/** Optional fields by the vendor's name. One of another type is left out: the payment is usable without it. */
const FIELDS: readonly (readonly [keyof CryptoDotComPaymentResponse, string, Read])[] = [
  ['amountRefunded', 'amount_refunded', numberOf],
  ['created', 'created', numberOf],
  ['cryptoCurrency', 'crypto_currency', textOf],
  ['cryptoAmount', 'crypto_amount', textOf],
  ['customerId', 'customer_id', textOf],
  ['returnUrl', 'return_url', textOf],
  ['cancelUrl', 'cancel_url', textOf],
  ['description', 'description', textOf],
  ['liveMode', 'live_mode', booleanOf],
  ['metadata', 'metadata', objectOf],
  ['orderId', 'order_id', textOf],
  ['recipient', 'recipient', textOf],
  ['refunded', 'refunded', booleanOf],
  ['expiredAt', 'expired_at', numberOf],
];

function paymentOf(value: unknown): CryptoDotComPaymentResponse {
  const payment = recordOf(value);
  const { payment_url: paymentUrl } = payment;
  const [id, currency, status] = ['id', 'currency', 'status'].map((name) => textOf(payment[name]));
  if (!id || !currency || !status || !isWebAddress(paymentUrl)) throw new VendorUnavailableError(VENDOR, 'garbage');
  const more = FIELDS.map(([field, name, read]) => [field, read(payment[name])] as const);
  return {
    ...Object.fromEntries(more.filter(([, read]) => read !== null)),
    id,
    amount: amountIn(VENDOR, payment['amount']),
    currency,
    paymentUrl,
    qrCode: textOf(payment['qr_code']) ?? '',
    status,
  };
}
