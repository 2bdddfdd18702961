import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { RecentLookups } from '../../common/recent-lookups.js';
import { noEnabledEmailProvider } from '../providers.errors.js';
import { ProvidersRepository } from '../settings/providers.repository.js';

/** The provider that sends one-time codes through the service's own mailer. */
export const EMAIL_ONLY = 'emailOnly';

const MAX_AGE_MS = 1_000;
const MAX_ENVIRONMENTS = 10_000;

/** Whether an environment allows sign-in by email. Data may be one second old. */
@Injectable()
export class EmailProviders {
  private readonly enabled: RecentLookups<EnvironmentId, string[]>;

  constructor(providers: ProvidersRepository) {
    this.enabled = new RecentLookups({
      max: MAX_ENVIRONMENTS,
      ttlMs: MAX_AGE_MS,
      find: (environmentId) => providers.listEnabledNames(environmentId),
    });
  }

  /** @throws 422 `no_enabled_email_provider`, before any user is looked up */
  async assertEnabled(environmentId: EnvironmentId): Promise<void> {
    const names = await this.enabled.get(environmentId);
    if (!names?.includes(EMAIL_ONLY)) throw noEnabledEmailProvider();
  }

  /** Whether any of the given providers is enabled. */
  async isAnyEnabled(environmentId: EnvironmentId, names: readonly string[]): Promise<boolean> {
    const enabled = await this.enabled.get(environmentId);
    return enabled?.some((name) => names.includes(name)) ?? false;
  }
}
