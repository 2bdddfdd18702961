import type { EnvironmentId, EnvironmentKind } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { differences } from './part-differences.js';

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

/** A difference that stays, and why. */
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

/** A part of an environment that can be promoted to another one. The context that owns the rows provides it. */
export abstract class EnvironmentPart {
  /** The name in plans, such as `origins`. */
  abstract readonly name: string;

  /** The state as it is, its rows locked (FOR NO KEY UPDATE, in the order of their ids) until the transaction ends. */
  abstract read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState>;

  /** How the target would change. Pure, sorted by key. */
  plan(from: PartState, to: PartState, terms: PartTerms): PartPlan {
    return differences(from, to, terms);
  }

  /**
   * Makes the changes of a plan in the target, by the same code that serves members: limits, audit records and events
   * are theirs, and the actor is whoever applies the plan.
   */
  abstract apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void>;
}
