import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { MembersRepository } from './members.repository.js';

/** Resolves a member's organization, for routes that contain only the member id. */
@Injectable()
export class MemberOwner extends OwnerResolver {
  constructor(private readonly members: MembersRepository) {
    super();
  }

  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ organizationId: string } | null> {
    return caller.kind === 'dashboardUser' ? this.members.findOwner(id, caller.userId) : null;
  }
}
