import type { CredentialFormat } from '../vocabulary/users.js';

/** Account changes that people are notified of, since someone else may have made them. */
export const ACCOUNT_CHANGES = [
  'credentialLinked',
  'credentialJoined',
  'credentialUnlinked',
  'mainContactChanged',
  'walletMoved',
  'merged',
  'unmerged',
  'erased',
  'recoveryCodeUsed',
  'factorAdded',
  'factorRemoved',
  'factorsReset',
  'passkeyAdded',
  'passkeyRemoved',
  'deviceAdded',
] as const;
export type AccountChange = (typeof ACCOUNT_CHANGES)[number];

/** `{brand}` is the environment's name, `{detail}` the credential concerned: one of `credentials`. */
export interface Words {
  subject: string;
  what: string;
  advice: string;
}

/** The mail with the token that confirms a new device. Placeholders: `{brand}`, `{token}`, `{minutes}`. */
export interface NewDeviceWords {
  subject: string;
  what: string;
  entry: string;
  once: string;
  advice: string;
}

/** The mail with a one-time code. Placeholders: `{brand}`, `{code}`, `{minutes}`, `{host}`. */
export interface CodeWords {
  subject: string;
  what: string;
  once: string;
  advice: string;
  sender: string;
}

/**
 * The text message with a one-time code, and the same without what can be left out, for texts that would otherwise take
 * two messages. Placeholders: `{brand}`, `{code}`, `{minutes}`.
 */
export interface TextMessageWords {
  full: string;
  short: string;
}

/** The texts of one language. Missing ones fall back to English, which is complete. */
export interface Language {
  /** The primary subtag of BCP 47, such as `en`. */
  code: string;
  /** The label for the time of a change; `with` is the label for the browser that made it. */
  when: string;
  with: string;
  /** The everyday name of each kind of credential. */
  credentials: Readonly<Record<CredentialFormat, string>>;
  newDevice: NewDeviceWords;
  oneTimeCode: CodeWords;
  textMessage: TextMessageWords;
  changes: Partial<Record<AccountChange, Words>>;
}
