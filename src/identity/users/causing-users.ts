import { Injectable, type OnModuleInit } from '@nestjs/common';
import { eventPeople, Outbox } from '../../database/index.js';
import { UserEntity } from './user.entity.js';

/** Those who sign in by another service are named in events by what that service calls them as well. */
@Injectable()
export class CausingUsers implements OnModuleInit {
  constructor(private readonly outbox: Outbox) {}

  onModuleInit(): void {
    this.outbox.know(eventPeople(UserEntity, 'externalUserId'));
  }
}
