import { Injectable } from '@nestjs/common';
import { asSystem, Database, OrganizationRepository } from '../../database/index.js';
import { SsoProviderRow } from './sso-provider.entity.js';

/** Organizations that may claim one email domain, of which sign-in looks at no more. */
const MAX_OF_DOMAIN = 10;

const LIST_OF_DOMAIN = asSystem('whoever signs in names an address and no organization').statement(
  'ssoProviders.listOfDomain',
  `SELECT organization_id AS "organizationId", id, provider, client_id AS "clientId", issuer,
     email_domain AS "emailDomain", enforce_only_sso AS "enforceOnlySso",
     sealed_client_secret AS "sealedClientSecret"
   FROM sso_providers WHERE email_domain = $1 ORDER BY created_at, id LIMIT ${MAX_OF_DOMAIN}`,
);

const FIND_OF_DOMAIN = asSystem('people sign in to an environment, whose organization no guard has loaded').statement(
  'ssoProviders.findOfDomain',
  `SELECT organization_id AS "organizationId", id, provider, client_id AS "clientId", issuer,
     email_domain AS "emailDomain", enforce_only_sso AS "enforceOnlySso",
     sealed_client_secret AS "sealedClientSecret"
   FROM sso_providers WHERE organization_id = $1 AND email_domain = $2`,
);

/** A provider as sign-in needs it. */
export type SsoConnectionRow = Omit<SsoProviderRow, 'masterKeyId' | 'ssoDomain' | 'createdAt' | 'updatedAt'>;

@Injectable()
export class SsoProvidersRepository extends OrganizationRepository<SsoProviderRow> {
  constructor(database: Database) {
    super(database, SsoProviderRow);
  }

  listOfDomain(emailDomain: string): Promise<SsoConnectionRow[]> {
    return this.database.rows(LIST_OF_DOMAIN, [emailDomain]);
  }

  async findOfDomain(organizationId: string, emailDomain: string): Promise<SsoConnectionRow | null> {
    return (await this.database.rows<SsoConnectionRow>(FIND_OF_DOMAIN, [organizationId, emailDomain]))[0] ?? null;
  }
}
