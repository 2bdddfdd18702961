import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { VendorClient, VendorUnavailableError } from '../../networks/index.js';
import { ProviderAddresses } from '../../providers/index.js';
import { recordOf, textOf } from '../vendor-refusal.js';
import { PayoutRefused, type ExchangeSession } from './exchange-vendor.js';

const VENDOR = 'kraken';
const API = 'https://api.kraken.com';
const LIFETIME_SECONDS = 600;
/** Shorter than a key's lifetime, by more than a call takes. */
const KEPT_MS = 480_000;

export interface KrakenKey {
  id: string;
  secret: string;
}

/**
 * API keys for users' accounts: created with the user's token for ten minutes, kept in memory only.
 * https://docs.kraken.com/api/docs/oauth/kraken-connect, "Fast API keys"
 */
@Injectable()
export class KrakenKeys {
  private lastNonce = 0;

  constructor(
    private readonly vendors: VendorClient,
    private readonly addresses: ProviderAddresses,
    private readonly clock: Clock,
  ) {}

  /** @throws VendorUnavailableError, PayoutRefused */
  of({ credentialId, accessToken }: ExchangeSession, fresh = false): Promise<KrakenKey> {
    const nowSeconds = Math.floor(this.clock.timestamp() / 1_000);
    const body = JSON.stringify({
      api_key_name: `gatehouse-${randomBytes(6).toString('hex')}`,
      permissions: { funds_query: true, funds_withdraw: true, ledger_query: true },
      valid_until: nowSeconds + LIFETIME_SECONDS,
    });
    const question = {
      vendor: VENDOR,
      urls: [`${this.api}/oauth/fast-api-key`],
      method: 'POST' as const,
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body,
      key: credentialId,
      keptMs: KEPT_MS,
      fresh,
      refusal: (status: number) => (status === 403 ? new PayoutRefused(VENDOR, 'scopes') : null),
    };
    return this.vendors.json(question, (value) => {
      const result = recordOf(recordOf(value)['result']);
      const [id, secret] = [textOf(result['api_key']), textOf(result['secret'])];
      if (!id || !secret) throw new VendorUnavailableError(VENDOR, 'garbage');
      return { id, secret };
    });
  }

  get api(): string {
    return this.addresses.of(VENDOR).api ?? API;
  }

  /** Strictly increasing; in microseconds, so that calls within one millisecond differ. */
  nonce(): string {
    this.lastNonce = Math.max(this.lastNonce + 1, this.clock.timestamp() * 1_000);
    return String(this.lastNonce);
  }
}
