import type { EnvironmentId } from '../../database/index.js';

/** One email to one person. */
export interface Mail {
  environmentId: EnvironmentId;
  to: string;
  subject: string;
  /** Plain text; always present, since not every reader shows HTML. */
  text: string;
  html?: string;
  /** The one-time code in the text, for the development inbox alone. */
  code?: string;
}

/** Who carries emails out of the service. */
export abstract class Mailer {
  /** Resolves when the next server has taken the message. @throws 503 `mail_unavailable` when it could not be handed over */
  abstract send(mail: Mail): Promise<void>;
}

/** The mailer of the deployment, for environments that have enabled none of their own. */
export abstract class DeploymentMailer extends Mailer {}
