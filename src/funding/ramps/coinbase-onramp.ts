import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { isUuid } from '../../common/ids.js';
import { isWebAddress } from '../../common/web-address.js';
import { VendorClient, VendorUnavailableError, type VendorQuestion } from '../../networks/index.js';
import { apiKeySecret, ProviderAddresses, type EnabledProvider } from '../../providers/index.js';
import { bodyOf, isUndecided, listOf, reasonIn, recordOf, textOf, VendorRefusal } from '../vendor-refusal.js';
import { cdpToken } from './cdp-token.js';
import type { CoinbaseOnrampOrder, CoinbaseOnrampOrderResponse } from './ramp-order.dto.js';

const VENDOR = 'coinbaseOnramp';
/** https://docs.cdp.coinbase.com/onramp/introduction/quickstart */
const RAMP_API = 'https://api.developer.coinbase.com/onramp/v1';
/** https://docs.cdp.coinbase.com/api-reference/v2/rest-api/onramp/onramp */
const ORDER_API = 'https://api.cdp.coinbase.com/platform/v2/onramp';
const NETWORKS_KEPT_MS = 600_000;

export interface SessionRequest {
  address: string;
  networks: readonly string[];
  assets?: readonly string[];
  clientIp?: string;
}

/** The request body for an order; field names are the vendor's. */
export type OrderRequest = Readonly<Record<string, unknown>>;

/** Coinbase's onramp: each call is signed with the environment's API key. */
@Injectable()
export class CoinbaseOnramp {
  constructor(
    private readonly vendors: VendorClient,
    private readonly addresses: ProviderAddresses,
    private readonly clock: Clock,
  ) {}

  /** A token for one visit, valid for five minutes. @throws VendorUnavailableError, VendorRefusal */
  async session(record: EnabledProvider, request: SessionRequest): Promise<string> {
    const { address, networks, assets, clientIp } = request;
    const body = {
      addresses: [{ address, blockchains: networks }],
      ...(assets && { assets }),
      ...(clientIp && { clientIp }),
    };
    // Single-use, so it is never shared.
    return this.call(record, { method: 'POST', path: '/token', body, key: null }, (answer) => {
      const token = textOf(answer['token']) ?? textOf(recordOf(answer['data'])['token']);
      if (!token) throw new VendorUnavailableError(VENDOR, 'garbage');
      return token;
    });
  }

  /** Names of networks available for purchases, cached for at most ten minutes. */
  networks(record: EnabledProvider): Promise<string[]> {
    const question = {
      method: 'GET',
      path: '/buy/options?country=US',
      key: record.id,
      keptMs: NETWORKS_KEPT_MS,
    } as const;
    return this.call(record, question, (answer) => {
      const options = listOf(answer['purchase_currencies'] ?? recordOf(answer['data'])['purchase_currencies']);
      const names = options.flatMap(({ networks }) => listOf(networks).flatMap(({ name }) => textOf(name) ?? []));
      if (names.length === 0) throw new VendorUnavailableError(VENDOR, 'garbage');
      return [...new Set(names)].sort();
    });
  }

  /** @param idempotencyKey the vendor returns the same order for repetitions with this key */
  async order(
    record: EnabledProvider,
    request: OrderRequest,
    idempotencyKey: string | null,
  ): Promise<CoinbaseOnrampOrderResponse> {
    const headers: Record<string, string> = idempotencyKey === null ? {} : { 'x-idempotency-key': idempotencyKey };
    const question = { method: 'POST', path: '/orders', body: request, key: null, headers, isOrder: true } as const;
    return this.call(record, question, orderOf);
  }

  /** The page users are sent to. */
  pageOf(page: 'buy/select-asset' | 'v3/sell/input' | ''): string {
    return `${this.addresses.of(VENDOR).authorize ?? 'https://pay.coinbase.com'}/${page}`;
  }

  private call<T>(
    record: EnabledProvider,
    { method, path, body, key, keptMs, headers, isOrder }: Call,
    read: (answer: Readonly<Record<string, unknown>>) => T,
  ): Promise<T> {
    const url = `${this.addresses.of(VENDOR).api ?? (isOrder ? ORDER_API : RAMP_API)}${path}`;
    const { clientId = '' } = record.configuration;
    return record.withSecret((secret) => {
      const token = cdpToken(clientId, apiKeySecret(secret), { method, url }, this.clock.timestamp());
      const question: VendorQuestion = {
        vendor: VENDOR,
        urls: [url],
        method,
        headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        key,
        keptMs,
        refusal,
      };
      return this.vendors.json(question, (value) => read(recordOf(value)));
    });
  }
}

interface Call extends Pick<VendorQuestion, 'key' | 'keptMs' | 'headers'> {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  isOrder?: boolean;
}

/** 401 and 403 concern the environment's API key, so they are nothing a user could fix. */
function refusal(status: number, text: string): Error | null {
  if (status === 401 || status === 403) return null;
  if (isUndecided(status)) return new VendorUnavailableError(VENDOR, 'garbage');
  const { errorType, code } = bodyOf(text);
  return new VendorRefusal(VENDOR, status, reasonIn(errorType ?? code));
}

const REQUIRED = [
  'paymentTotal',
  'paymentSubtotal',
  'paymentCurrency',
  'paymentMethod',
  'purchaseAmount',
  'purchaseCurrency',
  'exchangeRate',
  'destinationAddress',
  'destinationNetwork',
  'status',
] as const;
const OPTIONAL = ['txHash', 'partnerUserRef'] as const;

function orderOf(answer: Readonly<Record<string, unknown>>): CoinbaseOnrampOrderResponse {
  const order = recordOf(answer['order']);
  const link = textsOf(recordOf(answer['paymentLink']), ['url', 'paymentLinkType']);
  const required = textsOf(order, REQUIRED);
  const [createdAt, updatedAt] = [dateOf(order['createdAt']), dateOf(order['updatedAt'])];
  const orderId = textOf(order['orderId']);
  if (!required || !orderId || !isUuid(orderId) || !createdAt || !updatedAt) {
    throw new VendorUnavailableError(VENDOR, 'garbage');
  }
  const optional = OPTIONAL.filter((name) => textOf(order[name])).map((name) => [name, order[name]]);
  const fees = listOf(order['fees']).flatMap((fee) => textsOf(fee, ['type', 'amount', 'currency']) ?? []);
  return {
    order: {
      ...Object.fromEntries(optional),
      ...required,
      ...{ orderId, fees, createdAt, updatedAt },
    } as CoinbaseOnrampOrder,
    ...(isWebAddress(link?.url) && { paymentLink: link as CoinbaseOnrampOrderResponse['paymentLink'] }),
  };
}

/** These fields alone; null if one of them is no text. */
function textsOf<Name extends string>(
  record: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Record<Name, string> | null {
  const texts = names.flatMap((name) => {
    const text = textOf(record[name]);
    return text === null ? [] : [[name, text] as const];
  });
  return texts.length === names.length ? (Object.fromEntries(texts) as Record<Name, string>) : null;
}

function dateOf(value: unknown): Date | null {
  const date = new Date(textOf(value) ?? NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
