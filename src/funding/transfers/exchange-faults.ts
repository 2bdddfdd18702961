import { asApiError } from '../../networks/index.js';
import { PAYOUT_ERRORS } from './exchange-transfer.errors.js';
import { PayoutRefused } from './exchange-vendor.js';

/** Maps refusals and outages of exchanges to API errors; other errors pass. */
export function asExchangeError<T>(work: Promise<T>): Promise<T> {
  return asApiError(work).catch((error: unknown) => {
    if (!(error instanceof PayoutRefused)) throw error;
    throw PAYOUT_ERRORS[error.refusal]({ cause: error });
  });
}
