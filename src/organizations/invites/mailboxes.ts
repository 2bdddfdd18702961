import { Injectable } from '@nestjs/common';
import type { Executor } from '../../database/index.js';
import { RegisteredPort } from '../registered-port.js';

/** Port to the addresses of console users. */
export interface MailboxSource {
  /** The normalised address, equal for the same mailbox; null when the text is not an address. */
  normalise(address: string): string | null;
  /** The user's verified addresses, normalised. Addresses only asserted through the API are not included. */
  listProven(userId: string, on?: Executor): Promise<string[]>;
  /** The user with a normalised address, verified or not. */
  findUser(address: string): Promise<string | null>;
}

/** Addresses of console users. */
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
