import { asApiError } from '../../networks/index.js';
import { VendorRefusal } from '../vendor-refusal.js';
import { onrampRefused } from './ramp.errors.js';

/** Maps refusals and outages of ramp vendors to API errors; other errors pass. */
export function asRampError<T>(work: Promise<T>): Promise<T> {
  return asApiError(work).catch((error: unknown) => {
    if (!(error instanceof VendorRefusal)) throw error;
    throw onrampRefused({ payload: { vendor: error.vendor, reason: error.code }, cause: error });
  });
}
