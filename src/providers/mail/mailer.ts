import type { EnvironmentId } from '../../database/index.js';

/** One email to one person. */
export interface Mail {
  environmentId: EnvironmentId;
  to: string;
  subject: string;
  /** Plain text; always present, since not every mail program shows HTML. */
  text: string;
  html?: string;
  /** The one-time code in the text, for the development inbox alone. */
  code?: string;
}

/** Sends emails. */
export abstract class Mailer {
  /** Resolves once the next server has accepted the message. @throws 503 `mail_unavailable` if it could not be sent */
  abstract send(mail: Mail): Promise<void>;
}

/** The mailer of the deployment, for environments without their own vendor. */
export abstract class DeploymentMailer extends Mailer {}
