import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { UserFacets } from '../users/user-facets.js';
import { ErasuresRepository } from './erasures.repository.js';

/** Events about a deleted user are scrubbed within a day. Until then, receivers that were down can learn who it was. */
const DELAY_SECONDS = 20 * 3_600;

/** Records users deleted by members or servers, so that their data is scrubbed from events and deliveries. */
@Injectable()
export class DeletedPeople implements OnModuleInit {
  constructor(
    private readonly facets: UserFacets,
    private readonly erasures: ErasuresRepository,
  ) {}

  onModuleInit(): void {
    this.facets.beforeDeletion(async (environmentId, userId, tx) => {
      await this.erasures.forgetAttempts(environmentId, userId, tx);
      await this.erasures.begin(environmentId, { id: newId(), userId, delaySeconds: DELAY_SECONDS }, tx);
    });
  }
}
