import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { UsersRepository } from './users.repository.js';

/** Resolves the environment of a user whose path does not name it. */
@Injectable()
export class UserOwner extends OwnerResolver {
  constructor(private readonly users: UsersRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation itself checks that the user exists. */
  override async findOwner(userId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.users.findOwner(userId, caller.userId);
  }
}
