import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentPart, type PartChange } from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import type { RecordedRules, RuleTerms } from './recorded-rules.js';

interface Named {
  id: string;
  name: string;
}

/** Rules as a part of an environment that can be promoted: they are the same where their names are. */
export abstract class RulesPart<Row extends Named, Terms extends RuleTerms> extends EnvironmentPart {
  protected abstract readonly rules: Pick<RecordedRules<Row, Terms, object>, 'insert' | 'replace' | 'remove'>;

  /** All of the environment, locked until the transaction ends. */
  protected abstract lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<Row[]>;

  protected abstract termsOf(name: string, planned: unknown): Terms;

  /** Removals come first, to make room for additions. */
  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const ids = new Map((await this.lockAll(environmentId, tx)).map(({ id, name }) => [name, id]));
    for (const { action, key } of changes) {
      if (action === 'remove') await this.rules.remove(environmentId, ids.get(key)!, actor, tx);
    }
    for (const { action, key, after } of changes) {
      if (action === 'remove') continue;
      const terms = this.termsOf(key, after);
      if (action === 'add') await this.rules.insert(environmentId, terms, actor, tx);
      else await this.rules.replace(environmentId, ids.get(key)!, terms, actor, tx);
    }
  }
}
