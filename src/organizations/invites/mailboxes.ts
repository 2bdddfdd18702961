import { Injectable } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { RegisteredPort } from '../registered-port.js';

/** Who knows the addresses of users of the console environment. */
export interface MailboxSource {
  /** An address in the form in which equal means the same mailbox; null when the text is none. */
  normalise(address: string): string | null;
  /** The addresses, in that form, that a user has proven to own. What an API call merely says is not among them. */
  listProven(userId: string, on?: Executor): Promise<string[]>;
  /** Who has an address in that form, proven or not. */
  findUser(address: string): Promise<string | null>;
}

/** Addresses of users of the console environment. */
@Injectable()
export class Mailboxes extends RegisteredPort<MailboxSource> implements MailboxSource {
  normalise(address: string): string | null {
    return this.registered.normalise(address);
  }

  listProven(userId: string, on?: Executor): Promise<string[]> {
    return this.registered.listProven(userId, on);
  }

  findUser(address: string): Promise<string | null> {
    return this.registered.findUser(address);
  }
}
