import { escapeHtml, nameInMail, singleLine, type MailContent } from '../../providers/index.js';

export interface DeviceMail {
  /** The name of the environment, as its settings give it. */
  brand: string;
  token: string;
  minutes: number;
  at: Date;
  /** The browser, as it calls itself. */
  userAgent: string | null;
}

/** Text and HTML without a link: the token is entered where the person has just signed in, and nowhere else. */
export function deviceMail({ brand, token, minutes, at, userAgent }: DeviceMail): MailContent {
  const name = nameInMail(brand) || 'Gatehouse';
  const lines = [
    `Somebody signed in to your account at ${name} on a device that is new.`,
    `When: ${at.toUTCString()}`,
    ...(userAgent ? [`With: ${singleLine(userAgent)}`] : []),
    `If it was you, enter this where you signed in: ${token}`,
    `It works once, within ${minutes} minutes, and only there. Give it to nobody.`,
    'If it was not you, give it to nobody: without it that device gets no further. Change how you sign in.',
  ];
  const paragraphs = lines
    .map((line) => `<p>${escapeHtml(line).replace(token, `<strong>${token}</strong>`)}</p>`)
    .join('');
  return {
    subject: `Confirm a new device at ${name}`,
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs}</body></html>`,
  };
}
