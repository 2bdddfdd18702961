import { escapeHtml, nameInMail, timeInMail, type MailContent } from '../../providers/index.js';
import type { CredentialFormat } from '../vocabulary/users.js';
import type { AccountChange } from './account-words.js';
import { wordsOf } from './languages.js';

export interface AccountMail {
  change: AccountChange;
  /** The environment's name, from its settings. */
  brand: string;
  /** The credential that was changed. */
  about?: CredentialFormat | undefined;
  at: Date;
  /** The User-Agent, which the client may choose freely; null if an operator acted. */
  userAgent: string | null;
  /** A BCP 47 tag; English if null. */
  language?: string | null;
}

/** Text and HTML without links, so that there is nothing for phishing to imitate. */
export function accountMail({ change, brand, about, at, userAgent, language = null }: AccountMail): MailContent {
  const { subject, what, advice, when, with: by, code, credentials } = wordsOf(change, language);
  const values = { brand: nameInMail(brand) || 'Gatehouse', detail: about ? credentials[about] : '' };
  const filled = (text: string): string =>
    text.replace(/\{(brand|detail)\}/g, (_, name: keyof typeof values) => values[name]);
  const client = nameInMail(userAgent ?? '');
  const time = timeInMail(at, code);
  const lines = [filled(what), `${when}: ${time}`, ...(client ? [`${by}: ${client}`] : []), filled(advice)];
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  return {
    subject: filled(subject),
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${code}"><body>${paragraphs}</body></html>`,
  };
}
