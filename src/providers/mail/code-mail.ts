import { escapeHtml, nameInMail } from './mail-text.js';

/** What a message with a one-time code tells. Nothing in it comes from a request but the code's own verification. */
export interface CodeMail {
  /** The name of the environment, as its settings give it. */
  brand: string;
  code: string;
  /** How long the code can be used, in minutes. */
  minutes: number;
  /** Where the service is reached, as configured; never taken from a header. */
  publicUrl: string;
}

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** The email that carries a one-time code. It has no link to follow, so there is none to forge. */
export function codeMail({ brand, code, minutes, publicUrl }: CodeMail): MailContent {
  const name = nameInMail(brand) || 'Gatehouse';
  const host = new URL(publicUrl).host;
  const lines = [
    `Your code for ${name} is ${code}.`,
    `It works once, within ${minutes} minutes. Enter it only where you asked for it, and give it to nobody.`,
    'If you did not ask for it, ignore this message: without the code nothing happens.',
    `Sent by ${host} for ${name}.`,
  ];
  const [first, ...rest] = lines as [string, ...string[]];
  const paragraphs = rest.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  const heading = escapeHtml(first).replace(code, `<strong>${code}</strong>`);
  return {
    subject: `${code} is your code for ${name}`,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body><p>${heading}</p>${paragraphs}</body></html>`,
  };
}
