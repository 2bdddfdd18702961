import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { SsoProviders } from '../../organizations/index.js';
import { EMAIL_ONLY, EmailProviders } from './email-providers.js';
import { ProviderUrls } from '../settings/provider-urls.js';
import type { EmailProviderResponse, SsoProviderCheckResponse } from './sign-in-providers.dto.js';

/** Which door somebody with an email address takes. Nothing is looked up about users. */
@Injectable()
export class SignInProvidersService {
  constructor(
    private readonly email: EmailProviders,
    private readonly sso: SsoProviders,
    private readonly tenants: TenantDirectory,
    private readonly urls: ProviderUrls,
  ) {}

  /** Codes are sent by this service itself: no other provider of sign-in by email can be enabled. @throws as `assertEnabled` */
  async emailProvider(environmentId: EnvironmentId): Promise<EmailProviderResponse> {
    await this.email.assertEnabled(environmentId);
    return { emailProvider: EMAIL_ONLY };
  }

  /** A claim to a domain is no proof: a setup counts once the DNS has shown whose the domain is. */
  async ssoFor(environmentId: EnvironmentId, email: string): Promise<SsoProviderCheckResponse> {
    const environment = await this.tenants.findEnvironment(environmentId);
    const [setup] = environment ? await this.sso.listFor(environment, [email]) : [];
    if (!setup) return { type: 'otp' };
    const { provider, id } = setup;
    const { baseAuthUrl } = this.urls.of(environmentId, provider);
    return { type: 'sso', provider, id, ...(baseAuthUrl && { ssoAuthUrl: baseAuthUrl }) };
  }
}
