import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import type { Transaction } from '../../database/index.js';
import { ChangeLog, SERVICE } from '../../organizations/index.js';
import { EnvironmentSettingsRepository } from '../environment-settings.repository.js';
import { EnvironmentPart, type PartChange, type PartPlan, type PartState } from '../promotion/environment-part.js';
import { EnvironmentParts } from '../promotion/environment-parts.js';
import { differences } from '../promotion/part-differences.js';
import { PromotionRefusedError } from '../promotion/promotion-refused.error.js';
import { ownSections } from './client-settings.js';
import { SETTINGS_UPDATED } from './settings.events.js';
import { leavesOf, withLeaves } from './settings-pointers.js';
import { projectSettings } from './settings-schema.js';
import { validateSettings } from './settings-validation.js';
import type { ProjectSettings } from './settings.types.js';

/** The settings of an environment, each by its JSON pointer. Secrets among them are the target's own and stay. */
@Injectable()
export class SettingsPart extends EnvironmentPart {
  override readonly name = 'settings';

  constructor(
    private readonly settings: EnvironmentSettingsRepository,
    private readonly changes: ChangeLog,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    return leavesOf(shown(await this.lock(environmentId, tx)));
  }

  /** One document: what the source does not set, the target does not set either. */
  override plan(from: PartState, to: PartState): PartPlan {
    return differences(from, to, { prune: true });
  }

  override async apply(environmentId: EnvironmentId, changes: readonly PartChange[], tx: Transaction): Promise<void> {
    const before = await this.lock(environmentId, tx);
    const settings = withLeaves(before, new Map(changes.map(({ key, after }) => [key, after])));
    const [problem] = validateSettings(settings);
    if (problem) throw new PromotionRefusedError(`The setting ${problem.path} ${problem.message}.`);
    await this.settings.update(environmentId, {}, { settings }, tx);
    const change = {
      event: SETTINGS_UPDATED,
      resource: { type: 'settings', id: environmentId },
      before,
      after: settings,
      data: { id: environmentId },
    };
    await this.changes.record({ scope: { environmentId }, actor: SERVICE, ...change }, tx);
  }

  private async lock(environmentId: EnvironmentId, tx: Transaction): Promise<ProjectSettings> {
    const row = await this.settings.lock(environmentId, {}, tx);
    if (!row) throw notFound();
    return row.settings;
  }
}

const shown = (settings: ProjectSettings): ProjectSettings => projectSettings(ownSections(settings));
