import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { BLOCKAID_API } from '../sources/blockaid.js';
import { VendorClient } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';

const VENDOR = 'blockaid';
/** How long a verdict is cached. */
const KEPT_MS = 60_000;

/** A service that classifies sites. */
export abstract class SiteScanner {
  abstract readonly isConfigured: boolean;

  /** Whether a site is malicious; null when the service does not know. @throws VendorUnavailableError */
  abstract judge(url: string): Promise<boolean | null>;
}

/** https://docs.blockaid.io/reference/scan-site: `POST /site/scan`. */
@Injectable()
export class BlockaidScanner extends SiteScanner {
  constructor(
    private readonly config: Config,
    private readonly vendors: VendorClient,
  ) {
    super();
  }

  override get isConfigured(): boolean {
    return this.config.get('BLOCKAID_API_KEY') !== null;
  }

  override async judge(url: string): Promise<boolean | null> {
    const key = this.config.get('BLOCKAID_API_KEY');
    if (key === null) return null;
    const base = this.config.get('PROVIDER_ADDRESSES')[VENDOR]?.api ?? BLOCKAID_API;
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const body = JSON.stringify({ url, metadata: { type: 'catalog' } });
    const question = {
      vendor: VENDOR,
      urls: [`${base.replace(/\/+$/, '')}/site/scan`],
      method: 'POST' as const,
      headers,
      body,
      keptMs: KEPT_MS,
    };
    return this.vendors.json(question, verdictOf);
  }
}

function verdictOf(value: unknown): boolean | null {
  const { status, is_malicious: isMalicious } = (value ?? {}) as { status?: unknown; is_malicious?: unknown };
  if (status === 'miss') return null;
  if (typeof isMalicious !== 'boolean') throw new VendorUnavailableError(VENDOR, 'garbage');
  return isMalicious;
}
