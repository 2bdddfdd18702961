import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { UserIdentities, type Identifier } from '../../identity/index.js';
import { RoomsRepository } from './rooms.repository.js';

/** Lets operators unlock users who may not begin ceremonies because too many were aborted. */
@Injectable()
export class CeremonyLocks {
  constructor(
    private readonly identities: UserIdentities,
    private readonly rooms: RoomsRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Stops counting the aborts of the last hour. Their reasons stay on record.
   * @returns how many counted; null for an unknown identifier
   * @throws ApiError 422 if it belongs to several users, or is invalid
   */
  async end(environmentId: EnvironmentId, identifier: Identifier): Promise<number | null> {
    const userId = await this.identities.expect(environmentId, identifier);
    return userId === null ? null : this.work.run((tx) => this.rooms.forgive(environmentId, userId, tx));
  }
}
