import { escapeHtml, nameInMail, type MailContent } from '../../../providers/index.js';
import { codeWordsOf } from '../../notices/languages.js';

/** What a message with a one-time code tells. Nothing in it comes from a request but the code's own verification. */
export interface CodeMail {
  /** The name of the environment, as its settings give it. */
  brand: string;
  code: string;
  /** How long the code can be used, in minutes. */
  minutes: number;
  /** Where the service is reached, as configured; never taken from a header. */
  publicUrl: string;
  /** Of BCP 47; English where there is none. */
  language: string | null;
}

/** The email that carries a one-time code. It has no link to follow, so there is none to forge. */
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
