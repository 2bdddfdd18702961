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
    return this.users.findOwner(userId, caller.userId);
  }
}
