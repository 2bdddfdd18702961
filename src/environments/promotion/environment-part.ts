import type { EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { differences } from './part-differences.js';
import type { LeftItem, PartChange, PartPlan, PartState, PartTerms } from './part-plan.js';

/** A part of an environment that can be promoted to another. Implemented by the context that owns the rows. */
export abstract class EnvironmentPart {
  /** The name in plans, such as `origins`. */
  abstract readonly name: string;

  /** The most items that an environment may have. */
  get most(): number {
    return Infinity;
  }

  /** The current state; its rows stay locked (FOR NO KEY UPDATE, in id order) until the transaction ends. */
  abstract read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState>;

  /** How the target would change. Pure, sorted by key. */
  plan(from: PartState, to: PartState, terms: PartTerms): PartPlan {
    return differences(from, to, terms);
  }

  /**
   * The planned changes that the target would currently refuse, and why; sorted by key. Read-only. Empty for a part
   * whose changes are always accepted.
   */
  refusals(_environmentId: EnvironmentId, _changes: readonly PartChange[], _tx: Transaction): Promise<LeftItem[]> {
    return Promise.resolve([]);
  }

  /**
   * Applies the changes of a plan to the target through the same code as member requests, with the same limits, audit
   * records and events; the actor is the one who applies the plan.
   */
  abstract apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void>;
}
