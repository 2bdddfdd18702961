import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { captchaUnavailable } from './flow.errors.js';

/** Where an environment demands a captcha, nothing that it protects goes on without one. A token is good for one call. */
@Injectable()
export class Captcha {
  constructor(private readonly settings: EnvironmentSettingsReader) {}

  /** A token sent without demand is not looked at. @throws ApiError 503 on demand, since no verifier is connected */
  async assertPassed(environmentId: EnvironmentId, _token: string | undefined, _client: ClientOrigin): Promise<void> {
    const { security } = await this.settings.get(environmentId);
    if (security.captcha?.enabled) throw captchaUnavailable();
  }
}
