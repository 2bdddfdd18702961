import { Injectable } from '@nestjs/common';
import type { DashboardUserPrincipal, OrganizationId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { UnitOfWork, type Transaction, type Work } from '../database/index.js';
import type { Actor } from './audit/actor.js';
import { ChangeLog } from './change-log.js';
import { HeldRoles } from './members/held-roles.js';
import { Memberships } from './members/memberships.js';
import type { OrganizationAddressFields, OrganizationFields, OrganizationRequest } from './organization.dto.js';
import { organizationNameAlreadyExists, organizationsClosed } from './organization.errors.js';
import { ORGANIZATION_CREATED, ORGANIZATION_UPDATED } from './organization.events.js';
import {
  OrganizationsRepository,
  type OrganizationOfMember,
  type OrganizationRow,
} from './organizations.repository.js';
import { PeopleDirectory } from './members/people-directory.js';
import { newOrganizationId } from './tenant-scope.js';
import { parseWebsiteUrl } from './website-url.js';

interface NewOrganization extends OrganizationRequest {
  /** A console user, who becomes the owner. */
  ownerUserId: string;
}

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly memberships: Memberships,
    private readonly people: PeopleDirectory,
    private readonly roles: HeldRoles,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly config: Config,
  ) {}

  async listOf(userId: string): Promise<{ organizations: OrganizationOfMember[] }> {
    return { organizations: await this.organizations.listOfUser(userId) };
  }

  async get(organizationId: OrganizationId, userId: string): Promise<OrganizationOfMember> {
    const organization = await this.organizations.find(organizationId, userId);
    if (!organization) throw notFound();
    return organization;
  }

  /** The environments of all of the user's organizations. */
  listEnvironments(userId: string): Promise<string[]> {
    return this.organizations.listEnvironmentsOfUser(userId);
  }

  /** @throws organizationsClosed, tooManyOrganizations, organizationNameAlreadyExists */
  async create(
    request: OrganizationRequest,
    caller: DashboardUserPrincipal,
    work: Work,
  ): Promise<{ organization: OrganizationRow }> {
    if (this.config.get('ORGANIZATIONS') === 'closed') throw organizationsClosed();
    const organization = { ...request, ownerUserId: caller.userId };
    return { organization: await work.run((tx) => this.createOrganization(organization, caller, tx)) };
  }

  /**
   * Creates an organization with its owner, in the caller's transaction.
   *
   * @throws tooManyOrganizations, organizationNameAlreadyExists
   */
  async createOrganization(
    organization: NewOrganization,
    actor: Actor,
    tx: Transaction,
  ): Promise<OrganizationRow & { id: OrganizationId }> {
    const { name, description = null, implementationTimeline = null, ownerUserId } = organization;
    const row = { name, description, websiteUrl: parseWebsiteUrl(organization.websiteUrl), implementationTimeline };
    const known = await this.memberships.admit(ownerUserId, tx);
    if (known.some((other) => other.name === name)) throw organizationNameAlreadyExists();
    const id = newOrganizationId();
    const after = await this.organizations.insert(id, row, tx);
    const change = { event: ORGANIZATION_CREATED, resource: { type: 'organization', id }, before: null, after };
    await this.changes.record({ scope: { organizationId: id }, actor, ...change }, tx);
    await this.memberships.join(id, { userId: ownerUserId, role: 'owner' }, actor, tx);
    return { ...after, id };
  }

  /** @throws organizationNameAlreadyExists, roleWithdrawn */
  update(
    organizationId: OrganizationId,
    { name, description, websiteUrl }: OrganizationFields,
    caller: DashboardUserPrincipal,
  ): Promise<{ organization: OrganizationRow }> {
    const changes = {
      name,
      ...(description !== undefined && { description: description || null }),
      ...(websiteUrl !== undefined && { websiteUrl: parseWebsiteUrl(websiteUrl) }),
    };
    return this.change(organizationId, changes, caller);
  }

  /** Replaces the whole address: omitted lines are removed. @throws roleWithdrawn */
  updateAddress(
    organizationId: OrganizationId,
    address: OrganizationAddressFields,
    caller: DashboardUserPrincipal,
  ): Promise<{ organization: OrganizationRow }> {
    return this.change(organizationId, { address: { ...address } }, caller);
  }

  private change(
    organizationId: OrganizationId,
    changes: Partial<Omit<OrganizationRow, 'id'>>,
    caller: DashboardUserPrincipal,
  ): Promise<{ organization: OrganizationRow }> {
    return this.work.run(async (tx) => {
      if (changes.name !== undefined) await this.assertNewName(organizationId, changes.name, caller, tx);
      const before = await this.organizations.lock(organizationId, tx);
      if (!before) throw notFound();
      await this.roles.get(organizationId, caller.userId, 'admin', tx);
      const after = { ...before, ...changes };
      await this.organizations.update(organizationId, after, tx);
      const resource = { type: 'organization', id: organizationId };
      const change = { event: ORGANIZATION_UPDATED, resource, before, after };
      await this.changes.record({ scope: { organizationId }, actor: caller, ...change }, tx);
      return { organization: after };
    });
  }

  private async assertNewName(
    organizationId: OrganizationId,
    name: string,
    { userId }: DashboardUserPrincipal,
    tx: Transaction,
  ): Promise<void> {
    await this.people.lockPerson(userId, tx);
    const known = await this.organizations.listNamesOfUser(userId, tx);
    if (known.some((other) => other.name === name && other.id !== organizationId))
      throw organizationNameAlreadyExists();
  }
}
