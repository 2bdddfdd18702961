import { Injectable, type OnModuleInit } from '@nestjs/common';
import { eventPeople, Outbox } from '../../database/index.js';
import { UserEntity } from './user.entity.js';

/** Users who sign in through an external service are named in events by their id there as well. */
@Injectable()
export class CausingUsers implements OnModuleInit {
  constructor(private readonly outbox: Outbox) {}

  onModuleInit(): void {
    this.outbox.know(eventPeople(UserEntity, 'externalUserId'));
  }
}
