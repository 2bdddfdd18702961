import type { Role } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';

/** What the email tells. */
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

/** Carries invites to their addresses; the context that sends emails does it. */
export abstract class InviteMails {
  /** @throws 503 when the email could not be handed over */
  abstract send(letter: InviteLetter): Promise<void>;
}
