import { mailUnavailable } from '../providers.errors.js';
import { Mailer } from './mailer.js';
import { NothingLeft } from './unsent-mail.js';

/** Time for an operator to react. */
const RETRY_SECONDS = 300;

/** For production without a mail server: codes cannot be sent and must not be stored where someone could read them. */
export class NoMailer extends Mailer {
  override async send(): Promise<void> {
    throw mailUnavailable({
      hint: 'No mail server is configured; the operator sets SMTP_URL.',
      retryAfterSeconds: RETRY_SECONDS,
      cause: new NothingLeft(),
    });
  }
}
