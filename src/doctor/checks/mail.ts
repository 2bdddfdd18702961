import { causeOf, fail, ok, type Finding } from '../finding.js';

export interface MailInput {
  smtpUrl: string | null;
  isProduction: boolean;
  /** Connects and authenticates without sending anything. */
  verify: (url: string) => Promise<void>;
}

export async function checkMail({ smtpUrl, isProduction, verify }: MailInput): Promise<Finding> {
  if (smtpUrl === null) {
    return isProduction
      ? fail('nothing can be sent, so nobody can sign in by email', 'set SMTP_URL and MAIL_FROM')
      : ok('development inbox');
  }
  const { host } = new URL(smtpUrl);
  try {
    await verify(smtpUrl);
    return ok(`${host} accepts the connection`);
  } catch (error) {
    return fail(`${host} refuses (${causeOf(error)})`, 'check SMTP_URL: host, port, user and password');
  }
}
