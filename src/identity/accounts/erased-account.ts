import { Injectable } from '@nestjs/common';
import { unauthorized } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { UserMergesRepository } from '../linking/user-merges.repository.js';
import { UserFacets } from '../users/user-facets.js';
import { UsersService } from '../users/users.service.js';
import { embeddedWalletsWouldBeLost } from './erasure.errors.js';
import { ErasuresRepository } from './erasures.repository.js';

/** The transaction that erases a person: deletes their data, and schedules the scrubbing of events about them. */
@Injectable()
export class ErasedAccount {
  constructor(
    private readonly merges: UserMergesRepository,
    private readonly erasures: ErasuresRepository,
    private readonly users: UsersService,
    private readonly facets: UserFacets,
  ) {}

  /** @param withWallets whether embedded wallets may be lost along with their keys */
  async erase(environmentId: EnvironmentId, userId: string, withWallets: boolean, tx: Transaction): Promise<void> {
    await this.erasures.forgetAttempts(environmentId, userId, tx);
    if (!(await this.merges.lockUsers(environmentId, [userId], tx))) throw unauthorized();
    if (!withWallets && (await this.facets.losesByErasure(environmentId, userId, tx))) {
      throw embeddedWalletsWouldBeLost();
    }
    await this.erasures.begin(environmentId, { id: newId(), userId }, tx);
    await this.users.erase(environmentId, userId, tx);
  }
}
