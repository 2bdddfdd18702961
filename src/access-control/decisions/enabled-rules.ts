import { Injectable } from '@nestjs/common';
import { RecentAnswers } from '../recent-answers.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { EnabledRulesRepository, type EnabledRule } from './enabled-rules.repository.js';

/** The enabled rules of an environment, at most a second old. */
@Injectable()
export class EnabledRules {
  private readonly recent = new RecentAnswers<EnvironmentId, EnabledRule[]>({ max: 10_000, ttlMs: 1_000 });

  constructor(private readonly rules: EnabledRulesRepository) {}

  /** @param on a caller in a transaction passes it, so as not to wait for a second connection */
  get(environmentId: EnvironmentId, on: Executor): Promise<readonly EnabledRule[]> {
    return this.recent.get(environmentId, () => this.rules.listEnabled(environmentId, on));
  }

  /** On this instance the next caller reads fresh data; on others, within a second. */
  forget(environmentId: EnvironmentId): void {
    this.recent.forget(environmentId);
  }
}
