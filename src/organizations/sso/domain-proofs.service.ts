import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { Database, UnitOfWork, violatedConstraint } from '../../database/index.js';
import { DnsRecords } from '../../outbound/index.js';
import { SERVICE, type Actor } from '../audit/actor.js';
import { ChangeLog } from '../change-log.js';
import { claimScope } from '../tenant-scope.js';
import { findDomainRecord, type DomainClaim, type DomainFinding } from './domain-record.js';
import { PROVEN_ONCE, type SsoProviderRow } from './sso-provider.entity.js';
import type { SsoProvider } from './sso-provider.dto.js';
import { SSO_PROVIDER_UPDATED } from './sso-provider.events.js';
import { audited, shown } from './sso-provider.view.js';
import { SsoProvidersRepository } from './sso-providers.repository.js';

/** An SSO setup whose domain claim is checked. */
export type Claimant = Pick<SsoProviderRow, 'organizationId' | 'id'> & DomainClaim;

/** Each organization has its own record, so several can be present; the first to prove the domain keeps it. */
const HELD: DomainFinding = {
  verdict: 'unknown',
  problem: 'The record is right, but another organization has proven the domain and its record is still there.',
};

/** Checks claims to email domains against the DNS, never with a transaction open. */
@Injectable()
export class DomainProofs {
  constructor(
    private readonly providers: SsoProvidersRepository,
    private readonly dns: DnsRecords,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly database: Database,
  ) {}

  /** Looks for the record of a setup and stores the result. @throws notFound */
  async look(organizationId: OrganizationId, id: string, actor: Actor): Promise<SsoProvider> {
    const known = await this.providers.find(organizationId, { id });
    if (!known) throw notFound();
    const row = await this.settle(known, actor);
    if (!row) throw notFound();
    return shown(row);
  }

  /** @returns null when the setup no longer exists */
  async settle(known: Claimant, actor: Actor = SERVICE): Promise<SsoProviderRow | null> {
    const finding = await findDomainRecord(known, this.dns);
    const first = await this.tryEnter(known, finding, actor);
    if (first !== 'held') return first;
    // An organization that has given up a domain must not block its current owner.
    const holder = await this.providers.findProven(known.emailDomain);
    if (holder) await this.enter(holder, await findDomainRecord(holder, this.dns), SERVICE);
    const second = await this.tryEnter(known, finding, actor);
    return second === 'held' ? this.enter(known, HELD, actor) : second;
  }

  private async tryEnter(
    known: Claimant,
    finding: DomainFinding,
    actor: Actor,
  ): Promise<SsoProviderRow | 'held' | null> {
    try {
      return await this.enter(known, finding, actor);
    } catch (error) {
      if (violatedConstraint(error) !== PROVEN_ONCE) throw error;
      return 'held';
    }
  }

  /** Stores the DNS result. When a proof is lost, so is everything that depends on it. */
  private async enter(known: Claimant, finding: DomainFinding, actor: Actor): Promise<SsoProviderRow | null> {
    const organizationId = claimScope(known);
    const { id, emailDomain } = known;
    const now = await this.database.now();
    return this.work.run(async (tx) => {
      const before = await this.providers.lock(organizationId, { id }, tx);
      // The claim has changed to another domain, which was not checked.
      if (!before || before.emailDomain !== emailDomain) return before;
      const domainProvenAt = provenSince(before.domainProvenAt, finding, now);
      const changes = domainProvenAt?.getTime() !== before.domainProvenAt?.getTime();
      const values = {
        domainProvenAt,
        domainCheckedAt: now,
        domainProblem: finding.problem,
        enforceOnlySso: before.enforceOnlySso && domainProvenAt !== null,
        updatedAt: changes ? now : before.updatedAt,
      };
      const [row] = await this.providers.update(organizationId, { id }, values, tx);
      if (changes) {
        const resource = { type: 'ssoProvider', id };
        const change = { event: SSO_PROVIDER_UPDATED, resource, before: audited(before), after: audited(row!) };
        await this.changes.record({ scope: { organizationId }, actor, ...change }, tx);
      }
      return row!;
    });
  }
}

/** A DNS failure changes nothing: only an answer proves or refutes. */
function provenSince(since: Date | null, { verdict }: DomainFinding, now: Date): Date | null {
  if (verdict === 'unknown') return since;
  return verdict === 'proven' ? (since ?? now) : null;
}
