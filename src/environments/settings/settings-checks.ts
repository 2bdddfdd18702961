import { Injectable } from '@nestjs/common';
import { EgressPolicy } from '../../outbound/index.js';
import type { SettingsTerms } from './settings-change.js';
import type { FieldProblem } from './settings-validation.js';
import type { ProjectSettings } from './settings.types.js';

/** Finds valid settings without effect, for the context that owns the records they refer to. */
export abstract class SettingsCheck {
  abstract problemsIn(settings: ProjectSettings): FieldProblem[];
}

/** All additional settings checks. Contexts above register here at start-up. */
@Injectable()
export class SettingsChecks implements SettingsTerms {
  private readonly checks: SettingsCheck[] = [];

  constructor(readonly policy: EgressPolicy) {}

  register(check: SettingsCheck): void {
    this.checks.push(check);
  }

  problemsIn(settings: ProjectSettings): FieldProblem[] {
    return this.checks.flatMap((check) => check.problemsIn(settings));
  }
}
