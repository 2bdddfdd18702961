import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../../../auth/index.js';
import { CredentialsRepository } from '../../../credentials/credentials.repository.js';

/** Tells the environment of an account, whose path does not name it. */
@Injectable()
export class OauthAccountOwner extends OwnerResolver {
  constructor(private readonly credentials: CredentialsRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the account is there, the operation finds out. */
  override async findOwner(accountId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.credentials.findOwner(accountId, caller.userId);
  }
}
