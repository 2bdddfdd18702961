import type { VendorEndpoint } from '../../networks/index.js';
import { ok, warn, type Finding } from '../finding.js';

/** The response of an address, or why there was none. */
export type Reached = { status: number; durationMs: number; quotaLeft: string | null } | string;

/** What the running service has recorded about a vendor. */
export interface SeenVendor {
  /** Seconds since its last response; null if it never responded. */
  ageSeconds: number | null;
  quotaLeft: number | null;
}

const NOTHING: SeenVendor = { ageSeconds: null, quotaLeft: null };

/**
 * Addresses may contain keys, so reports name the vendors. A development machine may have no internet access, so there
 * an unreachable default vendor is fine, and is listed apart from what is not.
 *
 * @param seen by vendor; empty if the service is not running or exposes no metrics
 */
export async function checkVendors(
  endpoints: readonly VendorEndpoint[],
  reach: (url: string) => Promise<Reached>,
  seen: ReadonlyMap<string, SeenVendor>,
  isProduction = false,
): Promise<Finding> {
  const found = await Promise.all(
    endpoints.map(async ({ url, ...endpoint }) => ({ ...endpoint, answer: url === null ? null : await reach(url) })),
  );
  const isSpared = ({ isChosen, answer }: (typeof found)[number]): boolean =>
    !isChosen && !isProduction && typeof answer === 'string';
  const told = found
    .filter((one) => !isSpared(one))
    .map(({ vendor, answer, elsewhere = 'not configured' }) =>
      answer === null ? `${vendor} is ${elsewhere}` : meaningOf(vendor, answer, seen.get(vendor) ?? NOTHING),
    );
  const spared = found.flatMap((one) =>
    typeof one.answer === 'string' && isSpared(one)
      ? [`${one.vendor} (${[one.answer, ...ageOf(seen.get(one.vendor) ?? NOTHING)].join(', ')})`]
      : [],
  );
  if (spared.length > 0) told.push(`defaults that this machine does not reach: ${spared.join(', ')}`);
  const isWell = found.every(
    ({ answer, isChosen }) =>
      answer === null ||
      (typeof answer === 'string'
        ? !isChosen && !isProduction
        : !isChosen || (answer.status < 500 && answer.status !== 429)),
  );
  const meaning = told.join('; ');
  return isWell ? ok(meaning) : warn(meaning, 'let the service reach them, or configure others');
}

const ageOf = ({ ageSeconds }: SeenVendor): string[] =>
  ageSeconds === null ? [] : [`last responded to the service ${ageSeconds} s ago`];

function meaningOf(vendor: string, answer: Reached, last: SeenVendor): string {
  const quota = (typeof answer === 'string' ? null : answer.quotaLeft) ?? last.quotaLeft;
  return [
    typeof answer === 'string'
      ? `${vendor} does not respond (${answer})`
      : `${vendor} responds with ${answer.status} in ${Math.round(answer.durationMs)} ms`,
    ...(quota === null ? [] : [`${quota} calls left`]),
    ...ageOf(last),
  ].join(', ');
}

const SERIES = /^gatehouse_vendor_(last_answer_seconds|quota_left)\{vendor="([\w-]+)"\} (\d+(?:\.\d+)?(?:e\+\d+)?)$/gm;

/** Extracts vendor data from the metrics of a running service. */
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
