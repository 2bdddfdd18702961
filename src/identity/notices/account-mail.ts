import { escapeHtml, nameInMail, singleLine, type MailContent } from '../../providers/index.js';
import type { AccountChange } from './account-words.js';
import { wordsOf } from './languages.js';

export interface AccountMail {
  change: AccountChange;
  /** The name of the environment, as its settings give it. */
  brand: string;
  /** What it was about, such as "A wallet" or "An email address". */
  detail?: string | undefined;
  at: Date;
  /** The browser, as it calls itself; null where an operator acted. */
  userAgent: string | null;
  /** Of BCP 47; English where there is none. */
  language?: string | null;
}

/** Text and HTML without a link, so that there is none to forge. */
export function accountMail({ change, brand, detail = '', at, userAgent, language = null }: AccountMail): MailContent {
  const values = { brand: nameInMail(brand) || 'Gatehouse', detail: singleLine(detail) };
  const filled = (text: string): string =>
    text.replace(/\{(brand|detail)\}/g, (_, name: keyof typeof values) => values[name]);
  const { subject, what, advice, when, with: by, code } = wordsOf(change, language);
  const lines = [
    filled(what),
    `${when}: ${at.toUTCString()}`,
    ...(userAgent ? [`${by}: ${singleLine(userAgent)}`] : []),
    filled(advice),
  ];
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  return {
    subject: filled(subject),
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${code}"><body>${paragraphs}</body></html>`,
  };
}
