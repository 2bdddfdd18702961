import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import type { Transaction } from '../../database/index.js';
import { EgressPolicy } from '../../outbound/index.js';
import type { SettingsTerms } from './settings-change.js';
import type { FieldProblem } from './settings-validation.js';
import type { ProjectSettings } from './settings.types.js';

/** Finds valid settings without effect, for the context that owns the records they refer to. */
export abstract class SettingsCheck {
  abstract problemsIn(settings: ProjectSettings): FieldProblem[];
}

/** Finds settings that cannot be met without another record of the environment. */
export abstract class SettingsNeed {
  /** Reads in the transaction of the change, which holds the lock on the settings. */
  abstract unmetIn(environmentId: EnvironmentId, settings: ProjectSettings, tx: Transaction): Promise<FieldProblem[]>;
}

/** All additional settings checks. Contexts above register here at start-up. */
@Injectable()
export class SettingsChecks implements SettingsTerms {
  private readonly checks: SettingsCheck[] = [];
  private readonly needs: SettingsNeed[] = [];

  constructor(readonly policy: EgressPolicy) {}

  register(check: SettingsCheck): void {
    this.checks.push(check);
  }

  registerNeed(need: SettingsNeed): void {
    this.needs.push(need);
  }

  problemsIn(settings: ProjectSettings): FieldProblem[] {
    return this.checks.flatMap((check) => check.problemsIn(settings));
  }

  /** What the new settings need and the environment lacks; what the stored ones lacked too does not count. */
  async unmetNeeds(
    environmentId: EnvironmentId,
    stored: ProjectSettings,
    settings: ProjectSettings,
    tx: Transaction,
  ): Promise<FieldProblem[]> {
    const unmet: FieldProblem[] = [];
    for (const need of this.needs) {
      const after = await need.unmetIn(environmentId, settings, tx);
      if (after.length === 0) continue;
      const before = new Set((await need.unmetIn(environmentId, stored, tx)).map(({ message }) => message));
      unmet.push(...after.filter(({ message }) => !before.has(message)));
    }
    return unmet;
  }
}
