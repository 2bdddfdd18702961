import { Injectable } from '@nestjs/common';
import { RecentAnswers } from '../recent-answers.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { EnabledRulesRepository, type EnabledRule } from './enabled-rules.repository.js';

/** What decides in an environment, at most a second old. */
@Injectable()
export class EnabledRules {
  private readonly recent = new RecentAnswers<EnvironmentId, EnabledRule[]>({ max: 10_000, ttlMs: 1_000 });

  constructor(private readonly rules: EnabledRulesRepository) {}

  /** @param on whoever is in a transaction reads through it, and waits for no second connection */
  get(environmentId: EnvironmentId, on: Executor): Promise<readonly EnabledRule[]> {
    return this.recent.get(environmentId, () => this.rules.listEnabled(environmentId, on));
  }

  /** On this instance the next caller reads anew; on others, within a second. */
  forget(environmentId: EnvironmentId): void {
    this.recent.forget(environmentId);
  }
}
