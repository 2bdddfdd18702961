import { Injectable } from '@nestjs/common';
import type { EnvironmentKind } from '../auth/index.js';
import { Config, type SettingName } from '../config/index.js';
import type { RetrySchedule } from './retry-schedule.js';

/** The setting that holds an environment's schedule. The console uses the live one, like the environments it serves. */
const SETTING_OF = {
  sandbox: 'WEBHOOK_RETRY_SANDBOX',
  live: 'WEBHOOK_RETRY_LIVE',
  console: 'WEBHOOK_RETRY_LIVE',
} as const satisfies Record<EnvironmentKind, SettingName>;

/** The schedules chosen by the operator, validated when the settings are read. */
@Injectable()
export class RetrySchedules {
  constructor(private readonly config: Config) {}

  of(kind: EnvironmentKind): RetrySchedule {
    return this.config.get(SETTING_OF[kind]);
  }
}
