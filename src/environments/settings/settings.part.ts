import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import type { Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { EnvironmentSettingsRepository } from '../environment-settings.repository.js';
import { EnvironmentSettingsService } from '../environment-settings.service.js';
import { EnvironmentPart } from '../promotion/environment-part.js';
import type { LeftItem, PartChange, PartPlan, PartState } from '../promotion/part-plan.js';
import { EnvironmentParts } from '../promotion/environment-parts.js';
import { differences } from '../promotion/part-differences.js';
import { SettingsWriter } from '../settings-writer.js';
import { ownSections } from './client-settings.js';
import { valuesOf, withField } from './settings-fields.js';
import { SECRET_SETTINGS, SETTINGS_FIELDS } from './settings-schema.js';

const keyOf = (field: string): string => field.replaceAll('.', '/');
const fieldOf = (key: string): string => key.replaceAll('/', '.');

/** The settings of an environment, value by value. Secrets are not promoted: the target keeps its own. */
@Injectable()
export class SettingsPart extends EnvironmentPart {
  override readonly name = 'settings';

  constructor(
    private readonly rows: EnvironmentSettingsRepository,
    private readonly settings: EnvironmentSettingsService,
    private readonly writer: SettingsWriter,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const row = await this.rows.lock(environmentId, {}, tx);
    if (!row) throw notFound();
    const values = [...valuesOf(SETTINGS_FIELDS, ownSections(row.settings))];
    return new Map(
      values.filter(([field]) => !SECRET_SETTINGS.has(field)).map(([field, value]) => [keyOf(field), value]),
    );
  }

  /** Treated as one document: what is unset in the source is unset in the target. */
  override plan(from: PartState, to: PartState): PartPlan {
    return differences(from, to, { prune: true });
  }

  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const { part, removed } = changeOf(changes);
    const change = { part: () => part, removed, readVersion: null, secrets: [], actor };
    await this.settings.apply(environmentId, change, tx);
  }

  /** Switches that depend on what the target lacks, such as a captcha without a secret. */
  override async refusals(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    tx: Transaction,
  ): Promise<LeftItem[]> {
    const problems = await this.writer.problemsOf(environmentId, changeOf(changes), tx);
    return problems
      .map(({ path, message }) => ({ key: keyOf(path), reason: message }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}

/** The values that the changes set, and the names they remove. */
function changeOf(changes: readonly PartChange[]): { part: object; removed: string[] } {
  const set = changes.filter(({ action }) => action !== 'remove');
  const removed = changes.filter(({ action }) => action === 'remove');
  return {
    part: set.reduce((part, { key, after }) => withField(part, fieldOf(key), after), {}),
    removed: removed.map(({ key }) => fieldOf(key)),
  };
}
