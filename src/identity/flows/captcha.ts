import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { captchaUnavailable } from './flow.errors.js';

/** S7: where an environment demands a captcha, nothing that it protects goes on without one. */
@Injectable()
export class Captcha {
  constructor(private readonly settings: EnvironmentSettingsReader) {}

  /** A token sent without demand is not looked at. @throws ApiError 503 on demand, since no verifier is connected */
  async assertPassed(environmentId: EnvironmentId): Promise<void> {
    const { security } = await this.settings.get(environmentId);
    if (security.captcha?.enabled) throw captchaUnavailable();
  }
}
