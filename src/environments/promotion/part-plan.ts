import type { EnvironmentKind } from '../../auth/index.js';

/**
 * What one part of an environment consists of: JSON values that an operator may read, so never a secret, by keys that
 * mean the same in every environment, so never an id.
 */
export type PartState = ReadonlyMap<string, unknown>;

/** One step that brings the target nearer to the source. */
export interface PartChange {
  action: 'add' | 'change' | 'remove';
  key: string;
  /** The value of the target; absent when something is added. */
  before?: unknown;
  /** The value of the source; absent when something is removed. */
  after?: unknown;
}

/** A difference that stays or cannot be made, and why. */
export interface LeftItem {
  key: string;
  reason: string;
}

export interface PartPlan {
  changes: PartChange[];
  left: LeftItem[];
}

export interface PartTerms {
  /** What the target is: some values are for a sandbox alone. */
  targetKind: EnvironmentKind;
  /** Whether the target loses what the source does not have. */
  prune: boolean;
}
