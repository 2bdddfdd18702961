import type { VendorEndpoint } from '../../networks/index.js';
import { ok, warn, type Finding } from '../finding.js';

/** What an address answered, or why it did not. */
export type Reached = { status: number; durationMs: number; quotaLeft: string | null } | string;

/** Addresses may hold keys, so vendors go by their names. A machine without a way out is well unless a setting says otherwise. */
export async function checkVendors(
  endpoints: readonly VendorEndpoint[],
  reach: (url: string) => Promise<Reached>,
): Promise<Finding> {
  const found = await Promise.all(
    endpoints.map(async ({ url, ...endpoint }) => ({ ...endpoint, answer: await reach(url) })),
  );
  const told = found.map(({ vendor, answer }) =>
    typeof answer === 'string'
      ? `${vendor} does not answer (${answer})`
      : `${vendor} answers ${answer.status} in ${Math.round(answer.durationMs)} ms${answer.quotaLeft === null ? '' : `, ${answer.quotaLeft} calls left`}`,
  );
  const isWell = found.every(
    ({ answer, isChosen }) => !isChosen || (typeof answer !== 'string' && answer.status < 500 && answer.status !== 429),
  );
  const meaning = told.join('; ');
  return isWell ? ok(meaning) : warn(meaning, 'let the service reach them, or name others in the settings');
}
