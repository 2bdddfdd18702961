import type { TenantFailure } from '../outbound/index.js';

export type DiscoveryReason =
  | TenantFailure
  | 'too_long'
  | 'document'
  | 'issuer'
  | 'endpoint'
  | 'response_type'
  | 'algorithm'
  | 'client_authentication'
  | 'pushed_requests';

/** A provider that cannot be discovered. Safe to show to a tenant: it reveals nothing about the internal network. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError';

  constructor(
    readonly reason: DiscoveryReason,
    /** The URL of the requested document. */
    readonly url: string,
    /** What is wrong with the document, in a sentence; null if none was received. */
    readonly hint: string | null = null,
  ) {
    super(`${url}: ${reason}`);
  }
}
