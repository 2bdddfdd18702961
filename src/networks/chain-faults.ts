import { chainUnreadable, invalidAccountAddress, unknownNetwork, vendorUnavailable } from './chain.errors.js';
import { ChainUnreadableError } from './rpc/chain-unreadable.error.js';
import { VendorUnavailableError } from './sources/vendor-unavailable.error.js';

/** What readers could not find out, as the API says it; other errors pass. */
export async function asApiError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ChainUnreadableError) {
      if (error.reason === 'unknown_network') throw unknownNetwork({ cause: error });
      throw chainUnreadable({ payload: { reason: error.reason }, cause: error });
    }
    if (error instanceof VendorUnavailableError) {
      throw vendorUnavailable({ payload: { vendor: error.vendor, reason: error.reason }, cause: error });
    }
    throw error;
  }
}

/** A node that refuses an address knows more of its checksum than the service does. */
export async function knownAddress<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof VendorUnavailableError && error.reason === 'refused')
      throw invalidAccountAddress({ cause: error });
    throw error;
  }
}
