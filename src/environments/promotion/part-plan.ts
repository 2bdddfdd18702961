import type { EnvironmentKind } from '../../auth/index.js';

/**
 * The state of one part of an environment: JSON values that operators may read, so never secrets, under keys that mean
 * the same in every environment, so never ids.
 */
export type PartState = ReadonlyMap<string, unknown>;

/** One step towards the source's state. */
export interface PartChange {
  action: 'add' | 'change' | 'remove';
  key: string;
  /** The target's value; absent for an addition. */
  before?: unknown;
  /** The source's value; absent for a removal. */
  after?: unknown;
}

/** A difference that is skipped or cannot be applied, with the reason. */
export interface LeftItem {
  key: string;
  reason: string;
}

export interface PartPlan {
  changes: PartChange[];
  left: LeftItem[];
}

export interface PartTerms {
  /** The kind of the target: some values are for a sandbox only. */
  targetKind: EnvironmentKind;
  /** Whether to remove from the target what the source does not have. */
  prune: boolean;
}
