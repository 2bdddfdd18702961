import { singleLine, type MailContent } from '../../providers/index.js';

export interface ExportMail {
  /** The name of the environment, as its settings give it. */
  brand: string;
  /** Of the wallet. */
  address: string;
  at: Date;
  /** The browser, as it calls itself. */
  userAgent: string | null;
}

/** Plain text without a link, so there is none to forge. */
export function exportMail({ brand, address, at, userAgent }: ExportMail): Pick<MailContent, 'subject' | 'text'> {
  const name = singleLine(brand) || 'Gatehouse';
  const lines = [
    `The private key of your wallet ${address} at ${name} was asked for: whoever has it can move everything in that wallet.`,
    `When: ${at.toUTCString()}`,
    ...(userAgent ? [`With: ${singleLine(userAgent)}`] : []),
    'If this was not you, move what is in the wallet to another one, and tell whoever runs the application.',
  ];
  return { subject: `The key of a wallet was exported at ${name}`, text: `${lines.join('\n\n')}\n` };
}
