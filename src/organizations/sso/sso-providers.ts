import { Injectable } from '@nestjs/common';
import type { TenantEnvironment } from '../../auth/index.js';
import { idOfName } from '../../common/ids.js';
import type { Executor } from '../../database/index.js';
import type { SecretBytes } from '../../vault/index.js';
import { ClientSecrets } from './client-secrets.js';
import { owningScope } from '../tenant-scope.js';
import { emailDomainOf } from './issuer.js';
import { SsoProvidersRepository, type SsoConnectionRow } from './sso-providers.repository.js';

export type SsoConnection = SsoConnectionRow;

/**
 * Whether people can sign in to an environment through a setup: environments of its organization, and the console,
 * where members of organizations are users. Requires a proven domain.
 */
export const isOpenIn = (
  { organizationId, domainProvenAt }: SsoConnection,
  environment: Pick<TenantEnvironment, 'kind' | 'organizationId'>,
): boolean =>
  domainProvenAt !== null && (environment.kind === 'console' || environment.organizationId === organizationId);

/**
 * Identifies the people of a setup. Accounts are linked by this value: a setup that is recreated, or pointed at another
 * issuer or domain, means different people.
 */
export const directoryOf = ({ id, issuer, emailDomain }: SsoConnection): string =>
  idOfName(`sso ${JSON.stringify([id, issuer, emailDomain])}`);

/** Identity providers of organizations, for the single sign-on flow. */
@Injectable()
export class SsoProviders {
  constructor(
    private readonly providers: SsoProvidersRepository,
    private readonly secrets: ClientSecrets,
  ) {}

  /** Current state, not cached. */
  find(id: string): Promise<SsoConnection | null> {
    return this.providers.findSetup(id);
  }

  /** The setup of the organization of an environment, if people can sign in with it. */
  async findOf({ id, kind, organizationId }: TenantEnvironment): Promise<SsoConnection | null> {
    if (organizationId === null) return null;
    const setup = await this.providers.find(owningScope({ id, kind, organizationId }), {});
    return setup && isOpenIn(setup, { kind, organizationId }) ? setup : null;
  }

  /** The setups through which the owners of the given addresses sign in to an environment. */
  async listFor(environment: TenantEnvironment, emails: readonly string[], on?: Executor): Promise<SsoConnection[]> {
    const domains = new Set(emails.flatMap((email) => emailDomainOf(email.slice(email.lastIndexOf('@') + 1)) ?? []));
    if (domains.size === 0) return [];
    const setups = await this.providers.listProven([...domains], on);
    return setups.filter((setup) => isOpenIn(setup, environment));
  }

  /** The caller wipes it. */
  openClientSecret(connection: SsoConnection): Promise<SecretBytes> {
    return this.secrets.open(connection);
  }
}
