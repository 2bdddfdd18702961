import { escapeHtml, nameInMail, singleLine, timeInMail, type MailContent } from '../../providers/index.js';
import type { KeyChange } from './key-words.js';
import { ENGLISH } from './languages/english.js';
import { GERMAN } from './languages/german.js';

export interface KeyMail {
  readonly change: KeyChange;
  /** The name of the environment, from its settings. */
  readonly brand: string;
  /** The wallet's address. */
  readonly address: string;
  readonly at: Date;
  /** The User-Agent, which the client may choose freely. */
  readonly userAgent: string | null;
  /** When the granted access expires, or when the requested key can be retrieved. */
  readonly until?: Date | undefined;
  /** BCP 47 tag; English by default. */
  readonly language?: string | null;
}

/** To add a language, add a file to `languages/` and list it here. */
export const KEY_LANGUAGES = [ENGLISH, GERMAN];

/** Text and HTML without links, so that there is nothing for phishing to imitate. */
export function keyMail({ change, brand, address, at, userAgent, until, language = null }: KeyMail): MailContent {
  const wanted = language?.toLowerCase().split(/[-_]/)[0];
  const { code, when, with: by, changes } = KEY_LANGUAGES.find((known) => known.code === wanted) ?? ENGLISH;
  const values = {
    brand: nameInMail(brand) || 'Gatehouse',
    address: singleLine(address),
    until: until ? timeInMail(until, code) : '',
  };
  const filled = (text: string): string =>
    text.replace(/\{(brand|address|until)\}/g, (_, name: keyof typeof values) => values[name]);
  const { subject, what, advice } = changes[change];
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
