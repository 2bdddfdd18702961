import { Injectable } from '@nestjs/common';
import type { Role } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { RegisteredPort } from '../registered-port.js';

/** What the email says. */
export interface InviteLetter {
  /** The environment in which the invited person signs in. */
  consoleEnvironmentId: EnvironmentId;
  to: string;
  organizationName: string;
  role: Role;
  /** The address of whoever invites, if they have one. */
  invitedBy: string | null;
  /** The page of the invite; whoever has it may read what the email says. */
  url: string;
  days: number;
}

/** Who sends emails. */
export interface InviteCarrier {
  /** @throws 503 when the email could not be handed over */
  send(letter: InviteLetter): Promise<void>;
}

/** Carries invites to their addresses. */
@Injectable()
export class InviteMails extends RegisteredPort<InviteCarrier> implements InviteCarrier {
  send(letter: InviteLetter): Promise<void> {
    return this.registered.send(letter);
  }
}
