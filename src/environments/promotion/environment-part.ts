import type { EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { differences } from './part-differences.js';
import type { LeftItem, PartChange, PartPlan, PartState, PartTerms } from './part-plan.js';

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
   * What of the changes of a plan the target would refuse as it is, and what is missing; sorted by key. Nothing is
   * written. A part whose changes are always taken has none.
   */
  refusals(_environmentId: EnvironmentId, _changes: readonly PartChange[], _tx: Transaction): Promise<LeftItem[]> {
    return Promise.resolve([]);
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
