import type { HostnameStatus } from './custom-hostname.dto.js';
import type { Finding } from './hostname-proof.js';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
/** How long the records may take to appear. */
const PENDING_SECONDS = 7 * DAY;
/** How often a proven name is looked at again: whoever gives up a domain must not keep its name here. */
const ACTIVE_CHECK_SECONDS = 7 * DAY;

export interface HostnameState {
  status: HostnameStatus;
  errors: string | null;
  /** Until the next look at the DNS. */
  nextCheckSeconds: number;
}

/**
 * What a look at the DNS makes of a host name that has had its status for `ageSeconds`. Silence of the DNS changes no
 * status: only an answer proves or refutes.
 */
export function nextState(status: HostnameStatus, ageSeconds: number, { verdict, reason }: Finding): HostnameState {
  if (verdict === 'proven') return { status: 'active', errors: null, nextCheckSeconds: ACTIVE_CHECK_SECONDS };
  if (status === 'active' && verdict === 'unknown') return { status, errors: null, nextCheckSeconds: HOUR };
  const isLate = status === 'pending' && ageSeconds >= PENDING_SECONDS;
  if (status === 'active' || isLate) return { status: 'error', errors: reason ?? null, nextCheckSeconds: MINUTE };
  return { status, errors: reason ?? null, nextCheckSeconds: patience(ageSeconds) };
}

/** Soon while somebody is setting records, then ever less often. */
function patience(ageSeconds: number): number {
  if (ageSeconds < HOUR) return MINUTE;
  if (ageSeconds < DAY) return 10 * MINUTE;
  return ageSeconds < 7 * DAY ? HOUR : DAY;
}
