import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { UsersRepository } from './users.repository.js';

/** Tells the environment of a user whose path does not name it. */
@Injectable()
export class UserOwner extends OwnerResolver {
  constructor(private readonly users: UsersRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the user is there, the operation finds out. */
  override async findOwner(userId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    const [environmentId, ...others] = await this.users.listOwners(userId, caller.userId);
    // An id may be chosen by the caller in each environment: of several users none is picked.
    return environmentId && others.length === 0 ? { environmentId } : null;
  }
}
