import { nameInMail, singleLine, type MailContent } from '../../../providers/index.js';

export type PasskeyChange = 'added' | 'removed';

/** What a message about a passkey tells. */
export interface PasskeyMail {
  /** The name of the environment, as its settings give it. */
  brand: string;
  change: PasskeyChange;
  at: Date;
  /** The browser, as it calls itself. */
  userAgent: string | null;
}

/** Plain text without a link, so there is none to forge. */
export function passkeyMail({ brand, change, at, userAgent }: PasskeyMail): Pick<MailContent, 'subject' | 'text'> {
  const name = nameInMail(brand) || 'Gatehouse';
  const lines = [
    change === 'added'
      ? `A passkey was added to your account at ${name}: whoever has it can sign in as you.`
      : `A passkey was removed from your account at ${name}. You are signed out on your other devices.`,
    `When: ${at.toUTCString()}`,
    ...(userAgent ? [`With: ${singleLine(userAgent)}`] : []),
    'If this was not you, sign in, remove passkeys that are not yours, and tell whoever runs the application.',
  ];
  return { subject: `A passkey was ${change} at ${name}`, text: `${lines.join('\n\n')}\n` };
}
