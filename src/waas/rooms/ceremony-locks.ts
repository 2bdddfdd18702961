import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { UserIdentities, type Identifier } from '../../identity/index.js';
import { RoomsRepository } from './rooms.repository.js';

/** What operators do about users who may begin no ceremony, because too many were given up. */
@Injectable()
export class CeremonyLocks {
  constructor(
    private readonly identities: UserIdentities,
    private readonly rooms: RoomsRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Counts none of the last hour any more. What they were given up for stays to be read.
   * @returns how many counted; null where the identifier is nobody's
   * @throws ApiError 422 where it is of several users, or cannot be one
   */
  async end(environmentId: EnvironmentId, identifier: Identifier): Promise<number | null> {
    const userId = await this.identities.expect(environmentId, identifier);
    return userId === null ? null : this.work.run((tx) => this.rooms.forgive(environmentId, userId, tx));
  }
}
