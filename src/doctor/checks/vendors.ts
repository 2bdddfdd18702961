import type { VendorEndpoint } from '../../networks/index.js';
import { ok, warn, type Finding } from '../finding.js';

/** What an address answered, or why it did not. */
export type Reached = { status: number; durationMs: number; quotaLeft: string | null } | string;

/** What the running service has seen of a vendor. */
export interface SeenVendor {
  /** Seconds since it answered last; null when it has not. */
  ageSeconds: number | null;
  quotaLeft: number | null;
}

const NOTHING: SeenVendor = { ageSeconds: null, quotaLeft: null };

/**
 * Addresses may hold keys, so vendors go by their names. A machine without a way out is well unless a setting says otherwise.
 *
 * @param seen by vendor; empty where the service does not run or does not count
 */
export async function checkVendors(
  endpoints: readonly VendorEndpoint[],
  reach: (url: string) => Promise<Reached>,
  seen: ReadonlyMap<string, SeenVendor>,
): Promise<Finding> {
  const found = await Promise.all(
    endpoints.map(async ({ url, ...endpoint }) => ({ ...endpoint, answer: url === null ? null : await reach(url) })),
  );
  const meaning = found
    .map(({ vendor, answer, elsewhere = 'not configured' }) =>
      answer === null ? `${vendor} is ${elsewhere}` : told(vendor, answer, seen.get(vendor) ?? NOTHING),
    )
    .join('; ');
  const isWell = found.every(
    ({ answer, isChosen }) =>
      !isChosen || (answer !== null && typeof answer !== 'string' && answer.status < 500 && answer.status !== 429),
  );
  return isWell ? ok(meaning) : warn(meaning, 'let the service reach them, or name others in the settings');
}

function told(vendor: string, answer: Reached, { ageSeconds, quotaLeft }: SeenVendor): string {
  const quota = (typeof answer === 'string' ? null : answer.quotaLeft) ?? quotaLeft;
  return [
    typeof answer === 'string'
      ? `${vendor} does not answer (${answer})`
      : `${vendor} answers ${answer.status} in ${Math.round(answer.durationMs)} ms`,
    ...(quota === null ? [] : [`${quota} calls left`]),
    ...(ageSeconds === null ? [] : [`answered the service ${ageSeconds} s ago`]),
  ].join(', ');
}

const SERIES = /^gatehouse_vendor_(last_answer_seconds|quota_left)\{vendor="([\w-]+)"\} (\d+(?:\.\d+)?(?:e\+\d+)?)$/gm;

/** What the figures of a running service say of vendors. */
export function seenVendors(metrics: string, nowSeconds: number): Map<string, SeenVendor> {
  const seen = new Map<string, SeenVendor>();
  for (const [, series, vendor = '', text] of metrics.matchAll(SERIES)) {
    const known = seen.get(vendor) ?? NOTHING;
    const value = Number(text);
    if (series === 'quota_left') seen.set(vendor, { ...known, quotaLeft: value });
    // 0 stands for never.
    else if (value > 0) seen.set(vendor, { ...known, ageSeconds: Math.max(0, Math.round(nowSeconds - value)) });
  }
  return seen;
}
