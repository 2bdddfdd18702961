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
    const { settings, version } = await this.settings.known(environmentId);
    const { captcha } = settings.security;
    if (!captcha?.enabled) return;
    if (!token) throw captchaRefused();
    const siteKey = captcha.siteKey ?? '';
    const secret = siteKey === '' ? null : await this.secrets.find(environmentId, SECRET);
    // Settings may be a second old, the secret is not: it may already be that of another vendor.
    if (siteKey !== '' && (await this.settings.readOther(environmentId, version)))
      return this.assertPassed(environmentId, token, client);
    const verdict = await this.verdict(environmentId, { siteKey, secret, token }, client);
    if (verdict === 'unavailable') throw captchaUnavailable({ retryAfterSeconds: VENDOR_RETRY_SECONDS });
    if (verdict === 'refused') throw captchaRefused();
  }

  private async verdict(
    environmentId: EnvironmentId,
    { siteKey, secret, token }: { siteKey: string; secret: string | null; token: string },
    { ipAddress }: ClientOrigin,
  ): Promise<CaptchaVerdict> {
    if (siteKey === '') return (await this.work.isDone(environmentId, token)) ? 'passed' : 'refused';
    const vendor = captchaVendorOf(siteKey);
    return vendor && secret ? this.vendors.verdict(vendor, { siteKey, secret, token, ipAddress }) : 'unavailable';
  }
}
