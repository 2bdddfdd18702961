import { VENDOR_RETRY_SECONDS } from '../common/errors/index.js';
import { chainUnreadable, invalidAccountAddress, unknownNetwork, vendorUnavailable } from './chain.errors.js';
import { ChainUnreadableError } from './rpc/chain-unreadable.error.js';
import { VendorUnavailableError } from './sources/vendor-unavailable.error.js';

/** Maps reader failures to API errors; other errors pass through. */
export async function asApiError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ChainUnreadableError) {
      if (error.reason === 'unknown_network') throw unknownNetwork({ cause: error });
      const payload = { reason: error.reason };
      throw chainUnreadable({ payload, cause: error, retryAfterSeconds: VENDOR_RETRY_SECONDS });
    }
    if (error instanceof VendorUnavailableError) {
      const payload = { vendor: error.vendor, reason: error.reason };
      throw vendorUnavailable({ payload, cause: error, retryAfterSeconds: VENDOR_RETRY_SECONDS });
    }
    throw error;
  }
}

const BAD_REQUEST = 400;

/**
 * A node that rejects an address has checked more of it than the service can, such as a checksum. One that denies access,
 * or gives an account with too much data no answer, has said nothing about the address.
 */
export async function knownAddress<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof VendorUnavailableError && error.status === BAD_REQUEST)
      throw invalidAccountAddress({ cause: error });
    throw error;
  }
}
