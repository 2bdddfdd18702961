import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../../../auth/index.js';
import { CredentialsRepository } from '../../../credentials/credentials.repository.js';

/** Resolves the environment of an account whose path does not name it. */
@Injectable()
export class OauthAccountOwner extends OwnerResolver {
  constructor(private readonly credentials: CredentialsRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation itself checks that the account exists. */
  override async findOwner(accountId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.credentials.findOwner(accountId, caller.userId);
  }
}
