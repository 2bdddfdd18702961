import { Injectable } from '@nestjs/common';
import { TenantDirectory, type TenantEnvironment } from '../../auth/index.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { directoryOf, SsoProviders, type SsoConnection } from '../../organizations/index.js';
import { addressHeldToSingleSignOn, singleSignOnRequired } from './single-sign-on.errors.js';

/** The directory of the proof, and where to look up. */
interface Question {
  /** See {@link directoryOf}. */
  directory?: string | undefined;
  on?: Executor;
}

const HELD_TWICE =
  'Each of several organizations lets the owners of its addresses in at its own provider alone, and this account has addresses of more than one. Until one of them lets go, an operator lets the person in by a link.';

/** Decides which addresses require an organization's provider. Users are not looked up. */
@Injectable()
export class SingleSignOn {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly setups: SsoProviders,
  ) {}

  /** Available at once for a recently used environment; otherwise it must not be awaited in a transaction. */
  environment(id: EnvironmentId): TenantEnvironment | Promise<TenantEnvironment | null> {
    return this.tenants.knownEnvironment(id) ?? this.tenants.findEnvironment(id);
  }

  /**
   * A provider cannot vouch for another's people: if several enforce single sign-on, no proof satisfies all of them.
   * @throws singleSignOnRequired, which names the provider
   */
  async assertNotHeld(
    environmentId: EnvironmentId,
    emails: readonly string[],
    { directory, on }: Question = {},
  ): Promise<void> {
    const holding = await this.holding(environmentId, emails, on);
    const setup = holding.find((each) => directoryOf(each) !== directory);
    if (!setup) return;
    const { id, provider, emailDomain } = setup;
    const payload = { ssoProviderId: id, provider, emailDomain };
    throw singleSignOnRequired({ payload, ...(holding.length > 1 && { hint: HELD_TWICE }) });
  }

  /**
   * A user who could remove the address that requires single sign-on could sign in any other way afterwards.
   * @throws addressHeldToSingleSignOn
   */
  async assertStillHeld(
    environmentId: EnvironmentId,
    before: readonly string[],
    after: readonly string[],
    on: Executor,
  ): Promise<void> {
    const holding = await this.holding(environmentId, before, on);
    if (holding.length === 0) return;
    const still = await this.holding(environmentId, after, on);
    const lost = holding.find(({ id }) => !still.some((each) => each.id === id));
    if (lost) throw addressHeldToSingleSignOn({ payload: { emailDomain: lost.emailDomain } });
  }

  /** The addresses that do not require single sign-on: codes may be sent to them. */
  async free(environmentId: EnvironmentId, emails: readonly string[]): Promise<string[]> {
    const holding = await Promise.all(emails.map((email) => this.holding(environmentId, [email])));
    return emails.filter((_, at) => holding[at]!.length === 0);
  }

  private async holding(
    environmentId: EnvironmentId,
    emails: readonly string[],
    on?: Executor,
  ): Promise<SsoConnection[]> {
    const environment = await this.environment(environmentId);
    if (!environment?.enforcesSso) return [];
    return (await this.setups.listFor(environment, emails, on)).filter(({ enforceOnlySso }) => enforceOnlySso);
  }
}
