import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { UsersRepository } from './users.repository.js';

/** Servers choose the ids of users, often the same ones for the sandbox and the live environment. */
const SEVERAL =
  'Several of your environments have a user with this id: use an API token of the one you mean, or a path that names it.';

/** Resolves the environment of a user whose path does not name it. */
@Injectable()
export class UserOwner extends OwnerResolver {
  constructor(private readonly users: UsersRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation itself checks that the user exists. */
  override async findOwner(userId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    const [owner, another] = await this.users.findOwners(userId, caller.userId);
    if (another) throw notFound({ hint: SEVERAL });
    return owner ?? null;
  }
}
