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

/** Port to the users of the console environment. */
export interface PeopleSource {
  /** By id; unknown ids are absent. */
  findPeople(userIds: readonly string[]): Promise<Map<string, Person>>;

  /**
   * Locks a person until the transaction ends, to serialise decisions that count their organizations. Locked before any
   * organization. False when the person does not exist.
   */
  lockPerson(userId: string, tx: Transaction): Promise<boolean>;
}

/** Names of console users. */
@Injectable()
export class PeopleDirectory extends RegisteredPort<PeopleSource> implements PeopleSource {
  findPeople(userIds: readonly string[]): Promise<Map<string, Person>> {
    return this.registered.findPeople(userIds);
  }

  lockPerson(userId: string, tx: Transaction): Promise<boolean> {
    return this.registered.lockPerson(userId, tx);
  }
}
