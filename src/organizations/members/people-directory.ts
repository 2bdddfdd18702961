import type { Transaction } from '../../database/index.js';

/** What lists show of a person. */
export interface Person {
  id: string;
  alias?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
}

/** Names of users of the console environment; the context that keeps users answers. */
export abstract class PeopleDirectory {
  /** The people found, by id. Unknown ids are absent. */
  abstract findPeople(userIds: readonly string[]): Promise<Map<string, Person>>;

  /**
   * Holds a person until the transaction ends: what counts the organizations of one person queues here. Locked before
   * any organization. False when there is no such person, or no longer.
   */
  abstract lockPerson(userId: string, tx: Transaction): Promise<boolean>;
}
