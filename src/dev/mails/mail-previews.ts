import { ACCOUNT_CHANGES, accountMail, codeMail, deviceMail, MAIL_LANGUAGES } from '../../identity/index.js';
import type { MailContent } from '../../providers/index.js';
import { KEY_CHANGES, keyMail } from '../../wallets/index.js';

/** A mail with sample data. */
export interface MailPreview extends MailContent {
  /** Its name in the code. */
  readonly name: string;
  readonly language: string;
}

const MINUTES = 10;
const DAY_MS = 86_400_000;

/** Every mail to users about their accounts and keys, in each language. */
export function mailPreviews(at: Date, publicUrl: string): MailPreview[] {
  return MAIL_LANGUAGES.flatMap((language) => {
    const about = { brand: 'Storefront', at, userAgent: 'Mozilla/5.0 (sample)', language };
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const until = new Date(at.getTime() + 30 * DAY_MS);
    const mails: [string, MailContent][] = [
      ['oneTimeCode', codeMail({ ...about, code: '123456', minutes: MINUTES, publicUrl })],
      ['newDevice', deviceMail({ ...about, token: 'sample-token', minutes: MINUTES })],
      ...ACCOUNT_CHANGES.map((change): [string, MailContent] => [
        change,
        accountMail({ ...about, change, about: change === 'walletMoved' ? 'blockchain' : 'email' }),
      ]),
      ...KEY_CHANGES.map((change): [string, MailContent] => [change, keyMail({ ...about, change, address, until })]),
    ];
    return mails.map(([name, mail]) => ({ name, language, ...mail }));
  });
}
