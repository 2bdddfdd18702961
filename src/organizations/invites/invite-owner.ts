import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { InvitesRepository } from './invites.repository.js';

/** Resolves an invite's organization for its members. */
@Injectable()
export class InviteOwner extends OwnerResolver {
  constructor(private readonly invites: InvitesRepository) {
    super();
  }

  override async findOwner(id: string, caller: DashboardPrincipal): Promise<{ organizationId: string } | null> {
    return caller.kind === 'dashboardUser' ? this.invites.findOwner(id, caller.userId) : null;
  }
}
