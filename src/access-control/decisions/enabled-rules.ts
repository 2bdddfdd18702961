import { Injectable } from '@nestjs/common';
import { leastRecent } from '../../common/least-recent.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { EnabledRulesRepository, type EnabledRule } from './enabled-rules.repository.js';

const MAX_ENVIRONMENTS = 10_000;
const MAX_AGE_MS = 1_000;

/** What decides in an environment, at most a second old. */
@Injectable()
export class EnabledRules {
  private readonly recent = leastRecent<EnvironmentId, { rules: EnabledRule[]; until: number }>(MAX_ENVIRONMENTS);

  constructor(
    private readonly rules: EnabledRulesRepository,
    private readonly clock: Clock,
  ) {}

  /** @param on whoever is in a transaction reads through it, and waits for no second connection */
  async get(environmentId: EnvironmentId, on: Executor): Promise<readonly EnabledRule[]> {
    const now = this.clock.timestamp();
    const known = this.recent.get(environmentId);
    if (known && now < known.until) return known.rules;
    const rules = await this.rules.listEnabled(environmentId, on);
    this.recent.set(environmentId, { rules, until: now + MAX_AGE_MS });
    return rules;
  }

  /** On this instance the next caller reads anew; on others, within a second. */
  forget(environmentId: EnvironmentId): void {
    this.recent.delete(environmentId);
  }
}
