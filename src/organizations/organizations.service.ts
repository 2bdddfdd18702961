import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import { notFound } from '../common/errors/index.js';
import { newId } from '../common/ids.js';
import { UnitOfWork, type Transaction } from '../database/index.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationsRepository, type OrganizationOfMember } from './organizations.repository.js';
import { newOrganizationId } from './tenant-scope.js';

interface NewOrganization {
  name: string;
  /** A user of the console environment; becomes the owner. */
  ownerUserId: string;
}

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly work: UnitOfWork,
  ) {}

  async listOf(userId: string): Promise<{ organizations: OrganizationOfMember[] }> {
    return { organizations: await this.organizations.listOfUser(userId) };
  }

  async get(organizationId: OrganizationId, userId: string): Promise<OrganizationOfMember> {
    const organization = await this.organizations.find(organizationId, userId);
    if (!organization) throw notFound();
    return organization;
  }

  /** An organization with its owner, in the transaction given or one of its own. */
  async createOrganization(organization: NewOrganization, tx?: Transaction): Promise<{ id: OrganizationId }> {
    if (!tx) return this.work.run((own) => this.createOrganization(organization, own));
    const id = newOrganizationId();
    await this.organizations.insert(id, organization.name, tx);
    await this.members.insert(id, { id: newId(), userId: organization.ownerUserId, role: 'owner' }, tx);
    return { id };
  }
}
