import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { OriginPolicy } from './origin-policy.js';
import { ReturnAddressesRepository } from './return-addresses.repository.js';

const MAX_LENGTH = 2_048;

/** Where a browser may be redirected with the result of a sign-in. */
@Injectable()
export class ReturnAddresses {
  constructor(
    private readonly addresses: ReturnAddressesRepository,
    private readonly origins: OriginPolicy,
  ) {}

  /**
   * Whether the URL is a registered deeplink, or a web URL of a registered origin. Both are compared as exact text (RFC
   * 9700 section 2.1): a wildcard allows many sites to call, but none of them to receive a code.
   */
  async allows(environmentId: EnvironmentId, address: string): Promise<boolean> {
    if (address.length > MAX_LENGTH || address.includes('*')) return false;
    const origin = webOriginOf(address);
    const found = await this.addresses.find(environmentId, address, origin ?? '');
    if (found === 'deeplink') return true;
    return found === 'origin' && origin !== null && this.origins.allows(environmentId, origin);
  }
}

/** Null for other schemes, and for text that a browser would parse to a different host. */
function webOriginOf(address: string): string | null {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const isPlain = url.username === '' && url.password === '' && !address.includes('#');
  return isPlain && (url.href === address || url.href === `${address}/`) ? url.origin : null;
}
