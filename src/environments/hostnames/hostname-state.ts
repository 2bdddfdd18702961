import type { HostnameStatus } from './custom-hostname.dto.js';
import type { Finding } from './hostname-proof.js';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
/** How long the records may take to appear. */
const PENDING_SECONDS = 7 * DAY;
/** Re-check interval for a verified name: a name must not stay here when its domain is given up. */
const ACTIVE_CHECK_SECONDS = 7 * DAY;

export interface HostnameState {
  status: HostnameStatus;
  errors: string | null;
  /** Until the next DNS check. */
  nextCheckSeconds: number;
}

/**
 * The next state of a host name that has had its status for `ageSeconds`, given a DNS result. A DNS failure changes no
 * status: only an answer proves or refutes.
 */
export function nextState(status: HostnameStatus, ageSeconds: number, { verdict, reason }: Finding): HostnameState {
  if (verdict === 'proven') return { status: 'active', errors: null, nextCheckSeconds: ACTIVE_CHECK_SECONDS };
  if (status === 'active' && verdict === 'unknown') return { status, errors: null, nextCheckSeconds: HOUR };
  const isLate = status === 'pending' && ageSeconds >= PENDING_SECONDS;
  if (status === 'active' || isLate) return { status: 'error', errors: reason ?? null, nextCheckSeconds: MINUTE };
  return { status, errors: reason ?? null, nextCheckSeconds: patience(ageSeconds) };
}

/** Short while somebody is setting the records, then increasing. */
function patience(ageSeconds: number): number {
  if (ageSeconds < HOUR) return MINUTE;
  if (ageSeconds < DAY) return 10 * MINUTE;
  return ageSeconds < 7 * DAY ? HOUR : DAY;
}
