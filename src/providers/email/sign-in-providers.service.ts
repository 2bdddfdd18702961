import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { SsoProviders } from '../../organizations/index.js';
import { EMAIL_ONLY, EmailProviders } from './email-providers.js';
import { ProviderUrls } from '../settings/provider-urls.js';
import type { EmailProviderResponse, SsoProviderCheckResponse } from './sign-in-providers.dto.js';

/** The sign-in method for an email address. No user is looked up. */
@Injectable()
export class SignInProvidersService {
  constructor(
    private readonly email: EmailProviders,
    private readonly sso: SsoProviders,
    private readonly tenants: TenantDirectory,
    private readonly urls: ProviderUrls,
  ) {}

  /** This service sends the codes itself: no other email sign-in provider can be enabled. @throws as `assertEnabled` */
  async emailProvider(environmentId: EnvironmentId): Promise<EmailProviderResponse> {
    await this.email.assertEnabled(environmentId);
    return { emailProvider: EMAIL_ONLY };
  }

  /**
   * A claimed domain is not enough: a setup counts only once the DNS has proven ownership.
   *
   * @throws as `assertEnabled`, where single sign-on does not apply
   */
  async ssoFor(environmentId: EnvironmentId, email: string): Promise<SsoProviderCheckResponse> {
    const environment = await this.tenants.findEnvironment(environmentId);
    const [setup] = environment ? await this.sso.listFor(environment, [email]) : [];
    if (!setup) {
      await this.email.assertEnabled(environmentId);
      return { type: 'otp' };
    }
    const { provider, id } = setup;
    const { baseAuthUrl } = this.urls.of(environmentId, provider);
    return { type: 'sso', provider, id, ...(baseAuthUrl && { ssoAuthUrl: baseAuthUrl }) };
  }
}
