import { Injectable } from '@nestjs/common';
import type { EnvironmentKind } from '../auth/index.js';
import { Config, type SettingName } from '../config/index.js';
import type { RetrySchedule } from './retry-schedule.js';

/** Which setting holds the schedule of an environment. The console is as live as what depends on it. */
const SETTING_OF = {
  sandbox: 'WEBHOOK_RETRY_SANDBOX',
  live: 'WEBHOOK_RETRY_LIVE',
  console: 'WEBHOOK_RETRY_LIVE',
} as const satisfies Record<EnvironmentKind, SettingName>;

/** The schedules that the operator has chosen, checked when the settings are read. */
@Injectable()
export class RetrySchedules {
  constructor(private readonly config: Config) {}

  of(kind: EnvironmentKind): RetrySchedule {
    return this.config.get(SETTING_OF[kind]);
  }
}
