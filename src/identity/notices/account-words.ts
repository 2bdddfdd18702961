import type { CredentialFormat } from '../vocabulary/users.js';

/** What people are told about their account: somebody else may have done it. */
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

/** `{brand}` is the name of the environment, `{detail}` what the change was about: one of `credentials`. */
export interface Words {
  subject: string;
  what: string;
  advice: string;
}

/** What carries the token that confirms a new device. `{token}` and `{minutes}` are filled in beside `{brand}`. */
export interface NewDeviceWords {
  subject: string;
  what: string;
  entry: string;
  once: string;
  advice: string;
}

/** What carries a one-time code. `{code}`, `{minutes}` and `{host}` are filled in beside `{brand}`. */
export interface CodeWords {
  subject: string;
  what: string;
  once: string;
  advice: string;
  sender: string;
}

/** The texts of one language. What a file lacks is said in English, which lacks nothing. */
export interface Language {
  /** The primary subtag of BCP 47, such as `en`. */
  code: string;
  /** Before the time of a change, and before the browser of whoever made it. */
  when: string;
  with: string;
  /** What people call each kind of credential. */
  credentials: Readonly<Record<CredentialFormat, string>>;
  newDevice: NewDeviceWords;
  oneTimeCode: CodeWords;
  changes: Partial<Record<AccountChange, Words>>;
}
