import { escapeHtml, nameInMail, type MailContent } from '../../../providers/index.js';
import { codeWordsOf } from '../../notices/languages.js';

/** The contents of a mail with a one-time code. Nothing in it comes from a request except the language. */
export interface CodeMail {
  /** The environment's name, from its settings. */
  brand: string;
  code: string;
  /** The validity of the code, in minutes. */
  minutes: number;
  /** PUBLIC_URL; never taken from a header. */
  publicUrl: string;
  /** A BCP 47 tag; English if null. */
  language: string | null;
}

/** The email with a one-time code. It has no links, so that there is nothing for phishing to imitate. */
export function codeMail({ brand, code, minutes, publicUrl, language }: CodeMail): MailContent {
  const host = new URL(publicUrl).host;
  const name = nameInMail(brand) || 'Gatehouse';
  const values: Record<string, string> = { brand: name, code, minutes: String(minutes), host };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, one: string) => values[one] ?? '');
  const words = codeWordsOf(language);
  const first = filled(words.what);
  const rest = [words.once, words.advice, words.sender].map(filled);
  const paragraphs = rest.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  const heading = escapeHtml(first).replace(code, `<strong>${code}</strong>`);
  return {
    subject: filled(words.subject),
    text: `${[first, ...rest].join('\n\n')}\n`,
    html: `<!doctype html><html lang="${words.code}"><body><p>${heading}</p>${paragraphs}</body></html>`,
  };
}
