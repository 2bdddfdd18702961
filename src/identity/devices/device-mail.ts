import { escapeHtml, nameInMail, timeInMail, type MailContent } from '../../providers/index.js';
import { newDeviceWordsOf } from '../notices/languages.js';

export interface DeviceMail {
  /** The environment's name, from its settings. */
  brand: string;
  token: string;
  minutes: number;
  at: Date;
  /** The User-Agent, which the client may choose freely. */
  userAgent: string | null;
  /** A BCP 47 tag; English if null. */
  language: string | null;
}

/** Text and HTML without a link: the token is entered where the person has just signed in. */
export function deviceMail({ brand, token, minutes, at, userAgent, language }: DeviceMail): MailContent {
  const values: Record<string, string> = { brand: nameInMail(brand) || 'Gatehouse', token, minutes: String(minutes) };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const words = newDeviceWordsOf(language);
  const client = nameInMail(userAgent ?? '');
  const lines = [
    filled(words.what),
    `${words.when}: ${timeInMail(at, words.code)}`,
    ...(client ? [`${words.with}: ${client}`] : []),
    filled(words.entry),
    filled(words.once),
    filled(words.advice),
  ];
  const paragraphs = lines
    .map((line) => `<p>${escapeHtml(line).replace(token, `<strong>${token}</strong>`)}</p>`)
    .join('');
  return {
    subject: filled(words.subject),
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${words.code}"><body>${paragraphs}</body></html>`,
  };
}
