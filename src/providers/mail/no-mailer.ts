import { mailUnavailable } from '../providers.errors.js';
import { Mailer } from './mailer.js';
import { NothingLeft } from './unsent-mail.js';

/** How long a client should wait for an operator. */
const RETRY_SECONDS = 300;

/** Production without a mail server: codes cannot be sent, and must not be kept where somebody could read them. */
export class NoMailer extends Mailer {
  override async send(): Promise<void> {
    throw mailUnavailable({
      hint: 'No mail server is configured; the operator sets SMTP_URL.',
      retryAfterSeconds: RETRY_SECONDS,
      cause: new NothingLeft(),
    });
  }
}
