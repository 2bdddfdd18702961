import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { VendorFigures } from '../../observability/index.js';
import { OutboundError, OutboundHttp } from '../../outbound/index.js';
import { ScreeningSource, ScreeningUnavailableError, type Listing } from './screening-source.js';

export const SANCTIONS_API = 'https://public.chainalysis.com/api/v1';
/** The name in metrics. */
const VENDOR = 'sanctions';
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const MAX_ABOUT_LENGTH = 500;

/** https://go.chainalysis.com/chainalysis-oracle-docs.html: `GET /address/{address}` lists identifications. */
@Injectable()
export class SanctionsApi extends ScreeningSource {
  override readonly name = 'sanctions-api';

  constructor(
    private readonly config: Config,
    private readonly http: OutboundHttp,
    private readonly figures: VendorFigures,
  ) {
    super();
  }

  override async isReady(): Promise<boolean> {
    return this.config.get('SANCTIONS_API_KEY') !== null;
  }

  override listings(addresses: readonly string[]): Promise<Listing[]> {
    return Promise.all(addresses.map((address) => this.ask(address)));
  }

  private async ask(address: string): Promise<Listing> {
    try {
      const listing = await this.read(address);
      this.figures.answered(VENDOR);
      return listing;
    } catch (error) {
      this.figures.failed(VENDOR);
      throw error;
    }
  }

  private async read(address: string): Promise<Listing> {
    const key = this.config.get('SANCTIONS_API_KEY') ?? '';
    const base = (this.config.get('PROVIDER_ADDRESSES')['sanctions']?.api ?? SANCTIONS_API).replace(/\/+$/, '');
    const answer = await this.http
      .send({
        method: 'GET',
        url: `${base}/address/${encodeURIComponent(address)}`,
        headers: { accept: 'application/json', 'x-api-key': key },
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES,
      })
      .catch((error: unknown) => {
        if (!(error instanceof OutboundError)) throw error;
        throw new ScreeningUnavailableError(error.kind === 'timeout' ? 'timeout' : 'unreachable');
      });
    if (answer.status !== 200) throw new ScreeningUnavailableError(answer.status >= 500 ? 'unreachable' : 'refused');
    return listingIn(answer.truncated ? '' : answer.body.toString('utf8'));
  }
}

/** A response in another format is an error: an address is clean only if the source says so. */
function listingIn(text: string): Listing {
  const found = identificationsIn(text);
  if (found.length === 0) return null;
  const names = found.map((one) => ({ ...(one as Record<string, unknown> | null) })['name']);
  const listings = names.filter((name): name is string => typeof name === 'string').join('; ');
  // The finding is stored: whatever a source says of a listed wallet must not stand in its way.
  return { about: listings.replaceAll('\0', '').slice(0, MAX_ABOUT_LENGTH).toWellFormed() || 'listed' };
}

function identificationsIn(text: string): unknown[] {
  try {
    const { identifications } = JSON.parse(text) as { identifications?: unknown };
    if (Array.isArray(identifications)) return identifications as unknown[];
  } catch {
    throw new ScreeningUnavailableError('garbage');
  }
  throw new ScreeningUnavailableError('garbage');
}
