import { Injectable } from '@nestjs/common';
import { VendorClient, VendorUnavailableError, type VendorQuestion } from '../../networks/index.js';
import { ProviderAddresses, type EnabledProvider } from '../../providers/index.js';
import { bodyOf, isUndecided, reasonIn, recordOf, textOf, VendorRefusal } from '../vendor-refusal.js';
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

const FIELDS = {
  amountRefunded: 'amount_refunded',
  created: 'created',
  cryptoCurrency: 'crypto_currency',
  cryptoAmount: 'crypto_amount',
  customerId: 'customer_id',
  returnUrl: 'return_url',
  cancelUrl: 'cancel_url',
  description: 'description',
  liveMode: 'live_mode',
  metadata: 'metadata',
  orderId: 'order_id',
  recipient: 'recipient',
  refunded: 'refunded',
  expiredAt: 'expired_at',
} as const;

function paymentOf(value: unknown): CryptoDotComPaymentResponse {
  const payment = recordOf(value);
  const [id, paymentUrl, status] = ['id', 'payment_url', 'status'].map((name) => textOf(payment[name]));
  const amount = Number(payment['amount']);
  if (!id || !paymentUrl || !status || !Number.isFinite(amount)) throw new VendorUnavailableError(VENDOR, 'garbage');
  const more = Object.entries(FIELDS).filter(([, name]) => payment[name] !== null && payment[name] !== undefined);
  return {
    ...Object.fromEntries(more.map(([field, name]) => [field, payment[name]])),
    id,
    amount,
    currency: String(payment['currency']),
    paymentUrl,
    qrCode: textOf(payment['qr_code']) ?? '',
    status,
  };
}
