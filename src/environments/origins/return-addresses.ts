import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { OriginPolicy } from './origin-policy.js';
import { ReturnAddressesRepository } from './return-addresses.repository.js';

const MAX_LENGTH = 2_048;

/** Where a browser may be sent with the outcome of a sign-in. */
@Injectable()
export class ReturnAddresses {
  constructor(
    private readonly addresses: ReturnAddressesRepository,
    private readonly origins: OriginPolicy,
  ) {}

  /**
   * Whether the address is a registered deeplink, or on the web at a registered origin. Both are compared as text (RFC
   * 9700 section 2.1), so what admits many sites to call admits none of them to receive a code.
   */
  async allows(environmentId: EnvironmentId, address: string): Promise<boolean> {
    if (address.length > MAX_LENGTH || address.includes('*')) return false;
    const origin = webOriginOf(address);
    const found = await this.addresses.find(environmentId, address, origin ?? '');
    if (found === 'deeplink') return true;
    return found === 'origin' && origin !== null && this.origins.allows(environmentId, origin);
  }
}

/** Null for another scheme, and for text that names its host otherwise than a browser reads it. */
function webOriginOf(address: string): string | null {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const isPlain = url.username === '' && url.password === '' && !address.includes('#');
  return isPlain && (url.href === address || url.href === `${address}/`) ? url.origin : null;
}
