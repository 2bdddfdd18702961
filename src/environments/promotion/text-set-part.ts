import type { EnvironmentId, EnvironmentKind } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { EnvironmentPart, type PartChange, type PartPlan, type PartState, type PartTerms } from './environment-part.js';
import { differences } from './part-differences.js';

/** A part that is a set of texts, each of them a row. */
export abstract class TextSetPart extends EnvironmentPart {
  /** All rows, held until the transaction ends; none is added meanwhile. */
  protected abstract rows(environmentId: EnvironmentId, tx: Transaction): Promise<{ id: string; text: string }[]>;
  protected abstract insert(environmentId: EnvironmentId, text: string, tx: Transaction): Promise<unknown>;
  protected abstract remove(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<unknown>;

  /** Why an environment of this kind may not have a text, in a sentence. */
  protected refusal(_text: string, _kind: EnvironmentKind): string | undefined {
    return undefined;
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    return new Map((await this.rows(environmentId, tx)).map(({ text }) => [text, text]));
  }

  /** What the target may not have stays where it is. */
  override plan(from: PartState, to: PartState, terms: PartTerms): PartPlan {
    const refused = [...from.keys()].flatMap((key) => {
      const reason = this.refusal(key, terms.targetKind);
      return reason === undefined ? [] : [{ key, reason }];
    });
    const wanted = new Map([...from].filter(([key]) => refused.every((one) => one.key !== key)));
    const { changes, left } = differences(wanted, to, terms);
    return { changes, left: [...left, ...refused].sort((a, b) => (a.key < b.key ? -1 : 1)) };
  }

  /** Those that leave go first, so that there is room for those that come. */
  override async apply(environmentId: EnvironmentId, changes: readonly PartChange[], tx: Transaction): Promise<void> {
    const ids = new Map((await this.rows(environmentId, tx)).map(({ id, text }) => [text, id]));
    for (const { action, key } of changes) {
      if (action === 'remove') await this.remove(environmentId, ids.get(key)!, tx);
    }
    for (const { action, key } of changes) if (action === 'add') await this.insert(environmentId, key, tx);
  }
}
