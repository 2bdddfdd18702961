import { Injectable } from '@nestjs/common';
import { VENDOR_RETRY_SECONDS } from '../../../common/errors/index.js';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { captchaVendorOf, EnvironmentSecrets, EnvironmentSettingsReader } from '../../../environments/index.js';
import { CaptchaVendors, type CaptchaVerdict } from '../../../providers/index.js';
import { captchaRefused, captchaUnavailable } from '../flow.errors.js';
import { ProofOfWork } from './proof-of-work.js';

const SECRET = 'security.captcha.secretKey';

/** Enforces the captcha of environments that require one. A token is valid for a single call. */
@Injectable()
export class Captcha {
  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly secrets: EnvironmentSecrets,
    private readonly vendors: CaptchaVendors,
    private readonly work: ProofOfWork,
  ) {}

  /**
   * A token is ignored if none is required.
   * @throws ApiError 422 `captcha_refused`, 503 `captcha_unavailable` if there is no verdict
   */
  async assertPassed(environmentId: EnvironmentId, token: string | undefined, client: ClientOrigin): Promise<void> {
    const { captcha } = (await this.settings.get(environmentId)).security;
    if (!captcha?.enabled) return;
    if (!token) throw captchaRefused();
    const verdict = await this.verdict(environmentId, captcha.siteKey ?? '', token, client);
    if (verdict === 'unavailable') throw captchaUnavailable({ retryAfterSeconds: VENDOR_RETRY_SECONDS });
    if (verdict === 'refused') throw captchaRefused();
  }

  private async verdict(
    environmentId: EnvironmentId,
    siteKey: string,
    token: string,
    { ipAddress }: ClientOrigin,
  ): Promise<CaptchaVerdict> {
    if (siteKey === '') return (await this.work.isDone(environmentId, token)) ? 'passed' : 'refused';
    const [vendor, secret] = [captchaVendorOf(siteKey), await this.secrets.find(environmentId, SECRET)];
    return vendor && secret ? this.vendors.verdict(vendor, { siteKey, secret, token, ipAddress }) : 'unavailable';
  }
}
