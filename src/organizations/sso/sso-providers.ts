import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { OidcDiscovery, type DiscoveredProvider } from '../../oidc/index.js';
import type { SecretBytes } from '../../vault/index.js';
import { ClientSecrets } from './client-secrets.js';
import { emailDomainOf } from './issuer.js';
import { SsoProvidersRepository, type SsoConnectionRow } from './sso-providers.repository.js';

export type SsoConnection = SsoConnectionRow;

/** Identity providers of organizations, for the flow that signs people in with them. */
@Injectable()
export class SsoProviders {
  constructor(
    private readonly providers: SsoProvidersRepository,
    private readonly secrets: ClientSecrets,
    private readonly discovery: OidcDiscovery,
  ) {}

  findOf(organizationId: OrganizationId): Promise<SsoConnection | null> {
    return this.providers.find(organizationId, {});
  }

  /** Those that claim the domain of an address, the oldest first. A claim does not prove that the domain is theirs. */
  async listForEmail(email: string): Promise<SsoConnection[]> {
    const domain = emailDomainOf(email.slice(email.lastIndexOf('@') + 1));
    return domain ? this.providers.listOfDomain(domain) : [];
  }

  /** The one of an organization, when it claims the domain of the address. */
  async findForEmail(organizationId: string, email: string): Promise<SsoConnection | null> {
    const domain = emailDomainOf(email.slice(email.lastIndexOf('@') + 1));
    return domain ? this.providers.findOfDomain(organizationId, domain) : null;
  }

  /** The caller wipes it. */
  openClientSecret(connection: SsoConnection): Promise<SecretBytes> {
    return this.secrets.open(connection);
  }

  /** Endpoints change, the issuer does not: they are asked for, and known for ten minutes. @throws DiscoveryError */
  discover({ issuer }: SsoConnection): Promise<DiscoveredProvider> {
    return this.discovery.recent(issuer);
  }
}
