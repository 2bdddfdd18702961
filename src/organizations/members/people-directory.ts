import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/index.js';
import { RegisteredPort } from '../registered-port.js';

/** What lists show of a person. */
export interface Person {
  id: string;
  alias?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
}

/** Who knows the users of the console environment. */
export interface PeopleSource {
  /** The people found, by id. Unknown ids are absent. */
  findPeople(userIds: readonly string[]): Promise<Map<string, Person>>;

  /**
   * Holds a person until the transaction ends: what counts the organizations of one person queues here. Locked before
   * any organization. False when there is no such person, or no longer.
   */
  lockPerson(userId: string, tx: Transaction): Promise<boolean>;
}

/** Names of users of the console environment. */
@Injectable()
export class PeopleDirectory extends RegisteredPort<PeopleSource> implements PeopleSource {
  findPeople(userIds: readonly string[]): Promise<Map<string, Person>> {
    return this.registered.findPeople(userIds);
  }

  lockPerson(userId: string, tx: Transaction): Promise<boolean> {
    return this.registered.lockPerson(userId, tx);
  }
}
