import type { TenantFailure } from '../outbound/index.js';

export type DiscoveryReason =
  TenantFailure | 'too_long' | 'document' | 'issuer' | 'endpoint' | 'response_type' | 'algorithm';

/** A provider that cannot be discovered. What it says may be shown to a tenant: nothing of the network inside. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError';

  constructor(
    readonly reason: DiscoveryReason,
    /** The document that was asked for. */
    readonly url: string,
    /** What is wrong with the document, in a sentence; null when none arrived. */
    readonly hint: string | null = null,
  ) {
    super(`${url}: ${reason}`);
  }
}
