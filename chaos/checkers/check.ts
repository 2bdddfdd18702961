import type { History } from '../world/history.js';
import { checkAcknowledged } from './acknowledged.js';
import { checkDelivered } from './delivered.js';
import { checkDuplicates, type DuplicateBounds } from './duplicates.js';
import type { Finding } from './finding.js';
import { checkLeaks } from './leaks.js';
import { checkPhantoms } from './phantoms.js';
import { checkRecovery, type Recovery } from './recovery.js';
import { checkTransitions } from './transitions.js';

/** What a fault permits; by default nothing is sent twice and nothing is left pending. */
export interface Bounds extends DuplicateBounds {
  /** Webhooks whose receiver never accepts anything, so that their messages may wait for the retry schedule. */
  readonly waiting: ReadonlySet<string>;
  readonly recovery: Recovery | null;
}

export const NO_FAULT: Bounds = { duplicates: 0, perMessage: 0, waiting: new Set(), recovery: null };

export interface Aftermath {
  readonly history: History;
  readonly drainedAt: number;
  readonly secrets: ReadonlyMap<string, string>;
  readonly logs: ReadonlyMap<string, Buffer | string>;
}

/** Checks every property, after every fault. */
export function checkAll({ history, drainedAt, secrets, logs }: Aftermath, bounds: Bounds): Finding[] {
  return [
    checkAcknowledged(history),
    checkDelivered(history, bounds),
    checkPhantoms(history),
    checkDuplicates(history, bounds),
    checkTransitions(history),
    ...(bounds.recovery ? checkRecovery(history.operations, drainedAt, bounds.recovery) : []),
    checkLeaks(secrets, logs),
  ];
}
