import { singleLine, type MailContent } from '../../providers/index.js';

export interface KeyMailParts {
  /** The name of the environment, as its settings give it. */
  brand: string;
  /** Of the wallet. */
  address: string;
  at: Date;
  /** The browser, as it calls itself. */
  userAgent: string | null;
}

/** Plain text without a link, so there is none to forge. */
export type KeyMail = (parts: KeyMailParts) => Pick<MailContent, 'subject' | 'text'>;

interface Wording {
  readonly subject: (brand: string) => string;
  readonly happened: (address: string, brand: string) => string;
  readonly otherwise: string;
}

const keyMail =
  ({ subject, happened, otherwise }: Wording): KeyMail =>
  ({ brand, address, at, userAgent }) => {
    const name = singleLine(brand) || 'Gatehouse';
    const lines = [
      happened(address, name),
      `When: ${at.toUTCString()}`,
      ...(userAgent ? [`With: ${singleLine(userAgent)}`] : []),
      otherwise,
    ];
    return { subject: subject(name), text: `${lines.join('\n\n')}\n` };
  };

export const exportMail = keyMail({
  subject: (name) => `The key of a wallet was exported at ${name}`,
  happened: (address, name) =>
    `The private key of your wallet ${address} at ${name} was asked for: whoever has it can move everything in that wallet.`,
  otherwise: 'If this was not you, move what is in the wallet to another one, and tell whoever runs the application.',
});

export const wholeKeyMail = keyMail({
  subject: (name) => `The key of a wallet was asked for at ${name}`,
  happened: (address, name) =>
    `More shares of the key of your wallet ${address} at ${name} were asked for: whoever has them can move everything in that wallet without ${name}.`,
  otherwise: 'If this was not you, move what is in the wallet to another one, and tell whoever runs the application.',
});

export const importMail = keyMail({
  subject: (name) => `A wallet was imported at ${name}`,
  happened: (address, name) =>
    `The wallet ${address} was added to your account at ${name} by its private key. From now on ${name} holds a copy of that key.`,
  otherwise:
    'If this was not you, somebody else uses your account: sign out everywhere, and tell whoever runs the application.',
});

export const recoveryEmailMail = keyMail({
  subject: (name) => `Where codes for your wallets at ${name} go was changed`,
  happened: (_, name) => `Codes and notices about your wallets at ${name} go to another address from now on.`,
  otherwise:
    'If this was not you, somebody else uses your account: sign out everywhere, and tell whoever runs the application.',
});

export const passkeyRecoveryMail = keyMail({
  subject: (name) => `Somebody replaces your passkeys at ${name}`,
  happened: (address, name) =>
    `A code was asked for by which all passkeys of your account at ${name}, which has the wallet ${address}, are replaced by a new one.`,
  otherwise:
    'If this was not you, give the code to nobody, sign out everywhere, and tell whoever runs the application: nothing changes until the code is used.',
});

export const passkeyRecoveredMail = keyMail({
  subject: (name) => `Your passkeys at ${name} were replaced`,
  happened: (address, name) =>
    `A new passkey took the place of all passkeys of your account at ${name}, which has the wallet ${address}.`,
  otherwise:
    'If this was not you, somebody else uses your account: move what is in the wallet to another one, and tell whoever runs the application.',
});
