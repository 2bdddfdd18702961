import type { EnvironmentId, EnvironmentKind } from '../../auth/index.js';
import type { EnvironmentEntity, Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { EnvironmentPart } from '../promotion/environment-part.js';
import type { PartChange, PartPlan, PartState, PartTerms } from '../promotion/part-plan.js';
import { differences } from '../promotion/part-differences.js';
import type { TextSetRepository } from './text-set.repository.js';
import type { TextSetService } from './text-set.service.js';

/** A part that is a set of strings, one per row. */
export abstract class TextSetPart<Row extends EnvironmentEntity> extends EnvironmentPart {
  constructor(
    private readonly texts: TextSetRepository<Row>,
    private readonly service: TextSetService<Row, object>,
  ) {
    super();
  }

  override get most(): number {
    return this.service.most;
  }

  /** A sentence on why an environment of this kind may not have the text. */
  protected refusal(_text: string, _kind: EnvironmentKind): string | undefined {
    return undefined;
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    return new Map([...(await this.idsByText(environmentId, tx)).keys()].map((text) => [text, text]));
  }

  /** What the target may not have is skipped. */
  override plan(from: PartState, to: PartState, terms: PartTerms): PartPlan {
    const refused = [...from.keys()].flatMap((key) => {
      const reason = this.refusal(key, terms.targetKind);
      return reason === undefined ? [] : [{ key, reason }];
    });
    const wanted = new Map([...from].filter(([key]) => refused.every((one) => one.key !== key)));
    const { changes, left } = differences(wanted, to, terms);
    return { changes, left: [...left, ...refused].sort((a, b) => (a.key < b.key ? -1 : 1)) };
  }

  /** Removals come first, to make room for additions. */
  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const ids = await this.idsByText(environmentId, tx);
    for (const { action, key } of changes) {
      if (action === 'remove') await this.service.remove(environmentId, ids.get(key)!, actor, tx);
    }
    for (const { action, key } of changes) {
      if (action === 'add') await this.service.insert(environmentId, key, actor, tx);
    }
  }

  /** Locks all rows until the transaction ends; none can be added meanwhile. */
  private async idsByText(environmentId: EnvironmentId, tx: Transaction): Promise<Map<string, string>> {
    const rows = await this.texts.lockEvery(environmentId, 'id', tx);
    return new Map(rows.map((row) => [this.texts.textOf(row), row.id]));
  }
}
