import { Injectable } from '@nestjs/common';
import { TenantDirectory, type TenantEnvironment } from '../../auth/index.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { SsoProviders } from '../../organizations/index.js';
import { singleSignOnRequired } from './single-sign-on.errors.js';

/** Which addresses open a door at the provider of an organization alone. Nothing is looked up about users. */
@Injectable()
export class SingleSignOn {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly setups: SsoProviders,
  ) {}

  /** Known at once for an environment that somebody has just called; nobody else waits for it in a transaction. */
  environment(id: EnvironmentId): TenantEnvironment | Promise<TenantEnvironment | null> {
    return this.tenants.knownEnvironment(id) ?? this.tenants.findEnvironment(id);
  }

  /** @throws singleSignOnRequired, which names the door */
  async assertNotHeld(environmentId: EnvironmentId, emails: readonly string[], on?: Executor): Promise<void> {
    const environment = await this.environment(environmentId);
    if (!environment?.enforcesSso) return;
    const setup = (await this.setups.listFor(environment, emails, on)).find(({ enforceOnlySso }) => enforceOnlySso);
    if (!setup) return;
    const { id, provider, emailDomain } = setup;
    throw singleSignOnRequired({ payload: { ssoProviderId: id, provider, emailDomain } });
  }
}
