import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import type { ScreeningIntegration } from './screening.dto.js';
import type { ScreeningIntegrationRow } from './screening.entities.js';
import { screeningNotConfigured } from './screening.errors.js';
import { SCREENING_DISABLED, SCREENING_ENABLED } from './screening.events.js';
import { ScreeningRepository } from './screening.repository.js';
import { ScreeningSources } from './screening-sources.js';
import { WalletScreening } from './wallet-screening.js';

/** Turns screening on and off. */
@Injectable()
export class ScreeningService {
  constructor(
    private readonly integrations: ScreeningRepository,
    private readonly sources: ScreeningSources,
    private readonly screening: WalletScreening,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async get(environmentId: EnvironmentId): Promise<ScreeningIntegration> {
    const row = await this.integrations.find(environmentId, {});
    return shown(row ?? (await this.work.run((tx) => this.integrations.hold(environmentId, tx))));
  }

  /** @throws screeningNotConfigured when no source is configured */
  async enable(environmentId: EnvironmentId, actor: Actor): Promise<ScreeningIntegration> {
    if ((await this.sources.ready()).length === 0) throw screeningNotConfigured();
    return this.switch(environmentId, true, actor);
  }

  disable(environmentId: EnvironmentId, actor: Actor): Promise<ScreeningIntegration> {
    return this.switch(environmentId, false, actor);
  }

  private switch(environmentId: EnvironmentId, isOn: boolean, actor: Actor): Promise<ScreeningIntegration> {
    return this.work.run(async (tx) => {
      const row = await this.integrations.hold(environmentId, tx);
      if (!(await this.integrations.switch(environmentId, isOn, tx))) return shown(row);
      const after = shown((await this.integrations.find(environmentId, {}, tx))!);
      const event = isOn ? SCREENING_ENABLED : SCREENING_DISABLED;
      const change = { event, resource: { type: 'screening', id: row.id }, before: shown(row), after };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
      tx.afterCommit(() => this.screening.forget(environmentId));
      return after;
    });
  }
}

const shown = ({
  id,
  environmentId,
  sanctionsApiEnabled,
  createdAt,
  updatedAt,
}: ScreeningIntegrationRow): ScreeningIntegration => ({
  ...{ id, sanctionsApiEnabled, createdAt, updatedAt },
  kytApiEnabled: false,
  projectEnvironmentId: environmentId,
});
