import { escapeHtml, singleLine, type MailContent } from '../../providers/index.js';

/** What people are told about their account: somebody else may have done it. */
export const ACCOUNT_CHANGES = [
  'credentialLinked',
  'credentialUnlinked',
  'mainContactChanged',
  'walletMoved',
  'merged',
  'unmerged',
  'erased',
  'recoveryCodeUsed',
] as const;
export type AccountChange = (typeof ACCOUNT_CHANGES)[number];

interface Words {
  subject: string;
  what: string;
  advice: string;
}

const IF_NOT_YOU = 'If this was not you, sign in, remove what is not yours, and tell whoever runs the application.';

/** `{brand}` is the name of the environment, `{detail}` what the change was about. */
const ENGLISH: Record<AccountChange, Words> = {
  credentialLinked: {
    subject: 'A way to sign in was added at {brand}',
    what: '{detail} was added to your account at {brand}: whoever has it can sign in as you. You are signed out on your other devices.',
    advice: IF_NOT_YOU,
  },
  credentialUnlinked: {
    subject: 'A way to sign in was removed at {brand}',
    what: '{detail} was removed from your account at {brand}. You are signed out on your other devices.',
    advice: IF_NOT_YOU,
  },
  mainContactChanged: {
    subject: 'Your contact details at {brand} were changed',
    what: 'Another {detail} of yours is now the main one of your account at {brand}.',
    advice: IF_NOT_YOU,
  },
  walletMoved: {
    subject: 'A wallet left your account at {brand}',
    what: '{detail} was moved from your account at {brand} to another one, by somebody who signed with it. You are signed out everywhere.',
    advice:
      'If this was not you, somebody else has the key of the wallet: move what it holds, then tell whoever runs the application.',
  },
  merged: {
    subject: 'Two accounts became one at {brand}',
    what: 'Your accounts at {brand} were made one, and you are signed out everywhere. Sign in as you did before; all your ways to sign in lead to the one account.',
    advice: 'If this was not you, tell whoever runs the application within seven days: until then it can be undone.',
  },
  unmerged: {
    subject: 'Your accounts at {brand} are two again',
    what: 'An operator has undone the merge of your accounts at {brand}. You are signed out everywhere.',
    advice: 'If you did not ask for this, tell whoever runs the application.',
  },
  erased: {
    subject: 'Your account at {brand} was erased',
    what: 'Your account at {brand} was erased, and everything that was kept about you with it. This is the last message about it.',
    advice: 'If this was not you, tell whoever runs the application.',
  },
  recoveryCodeUsed: {
    subject: 'A recovery code was used at {brand}',
    what: 'Somebody signed in to your account at {brand} with one of your recovery codes. It is used up.',
    advice: IF_NOT_YOU,
  },
};

export interface AccountMail {
  change: AccountChange;
  /** The name of the environment, as its settings give it. */
  brand: string;
  /** What it was about, such as "A wallet" or "An email address". */
  detail?: string | undefined;
  at: Date;
  /** The browser, as it calls itself; null where an operator acted. */
  userAgent: string | null;
}

/** Text and HTML without a link, so that there is none to forge. */
export function accountMail({ change, brand, detail = '', at, userAgent }: AccountMail): MailContent {
  const values = { brand: singleLine(brand) || 'Gatehouse', detail: singleLine(detail) };
  const filled = (text: string): string =>
    text.replace(/\{(brand|detail)\}/g, (_, name: keyof typeof values) => values[name]);
  const { subject, what, advice } = ENGLISH[change];
  const lines = [
    filled(what),
    `When: ${at.toUTCString()}`,
    ...(userAgent ? [`With: ${singleLine(userAgent)}`] : []),
    filled(advice),
  ];
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  return {
    subject: filled(subject),
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${paragraphs}</body></html>`,
  };
}
