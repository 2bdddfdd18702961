import { Injectable } from '@nestjs/common';
import { asSystem, Database, dueRowsStatement, OrganizationRepository, type Executor } from '../../database/index.js';
import { SsoProviderRow } from './sso-provider.entity.js';

const CONNECTION = `s.organization_id AS "organizationId", s.id, s.provider, s.client_id AS "clientId", s.issuer,
  s.email_domain AS "emailDomain", s.enforce_only_sso AS "enforceOnlySso", s.domain_proven_at AS "domainProvenAt",
  s.domain_challenge AS "domainChallenge", s.sealed_client_secret AS "sealedClientSecret"`;

const FIND_SETUP = asSystem('whoever signs in names a setup; whose people they are, it says').statement(
  'ssoProviders.findSetup',
  `SELECT ${CONNECTION} FROM sso_providers s WHERE s.id = $1`,
);

/** At most one per domain, by the constraint. */
const LIST_PROVEN = asSystem('whoever signs in names an address, and one organization speaks for its domain').statement(
  'ssoProviders.listProven',
  `SELECT ${CONNECTION} FROM sso_providers s
   WHERE s.email_domain = ANY($1::text[]) AND s.domain_proven_at IS NOT NULL ORDER BY s.email_domain`,
);

/** Due again soon, unless the result is stored: the process that claims them may end before. */
const CLAIM_DUE = dueRowsStatement(
  'ssoProviders.claimDue',
  `WITH due AS MATERIALIZED (
     SELECT id FROM sso_providers WHERE domain_proven_at IS NOT NULL AND domain_checked_at <= now() - interval '1 day'
     ORDER BY domain_checked_at LIMIT $1 FOR UPDATE SKIP LOCKED)
   UPDATE sso_providers s SET domain_checked_at = now() - interval '1 day' + interval '5 minutes' FROM due
   WHERE s.id = due.id
   RETURNING ${CONNECTION}`,
);

/** A provider as sign-in needs it. */
export type SsoConnectionRow = Omit<
  SsoProviderRow,
  'masterKeyId' | 'ssoDomain' | 'domainCheckedAt' | 'domainProblem' | 'createdAt' | 'updatedAt'
>;

@Injectable()
export class SsoProvidersRepository extends OrganizationRepository<SsoProviderRow> {
  constructor(database: Database) {
    super(database, SsoProviderRow);
  }

  async findSetup(id: string): Promise<SsoConnectionRow | null> {
    return (await this.database.rows<SsoConnectionRow>(FIND_SETUP, [id]))[0] ?? null;
  }

  async findProven(emailDomain: string): Promise<SsoConnectionRow | null> {
    return (await this.listProven([emailDomain]))[0] ?? null;
  }

  /** The providers that speak for the given domains. */
  listProven(emailDomains: readonly string[], on: Executor = this.database): Promise<SsoConnectionRow[]> {
    return on.rows<SsoConnectionRow>(LIST_PROVEN, [emailDomains]);
  }

  /** Proofs not checked for a day; claiming makes them due again a day later, whatever the result. */
  claimDue(limit: number): Promise<SsoConnectionRow[]> {
    return this.database.rows<SsoConnectionRow>(CLAIM_DUE, [limit]);
  }
}
