import { Injectable } from '@nestjs/common';
import type { Role } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { RegisteredPort } from '../registered-port.js';

/** The data of an invite email. */
export interface InviteLetter {
  /** The environment in which the invited person signs in. */
  consoleEnvironmentId: EnvironmentId;
  to: string;
  organizationName: string;
  role: Role;
  /** The inviter's address, if any. */
  invitedBy: string | null;
  /** The invite page; anybody with this URL can read the contents of the email. */
  url: string;
  days: number;
}

/** Port for sending emails. */
export interface InviteCarrier {
  /** @throws 503 when the email could not be handed over to the mail server */
  send(letter: InviteLetter): Promise<void>;
  /** Whether a failed email is certain not to arrive. */
  isUnsent(error: unknown): boolean;
}

/** Delivers invites by email. */
@Injectable()
export class InviteMails extends RegisteredPort<InviteCarrier> implements InviteCarrier {
  send(letter: InviteLetter): Promise<void> {
    return this.registered.send(letter);
  }

  isUnsent(error: unknown): boolean {
    return this.registered.isUnsent(error);
  }
}
