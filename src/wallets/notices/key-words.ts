/** What people are told about keys of theirs: somebody else may have done it. */
export const KEY_CHANGES = [
  'exported',
  'exportBegun',
  'wholeKeyAsked',
  'secretAsked',
  'imported',
  'recoveryEmailChanged',
  'passkeyRecoveryBegun',
  'passkeysReplaced',
  'accessGiven',
  'accessAllowed',
] as const;
export type KeyChange = (typeof KEY_CHANGES)[number];

/** `{brand}` is the name of the environment, `{address}` that of the wallet, `{until}` the end of what was given, or of a delay. */
interface Words {
  readonly subject: string;
  readonly what: string;
  readonly advice: string;
}

/** The texts of one language, which lacks none. */
export interface KeyLanguage {
  /** The primary subtag of BCP 47, such as `en`. */
  readonly code: string;
  /** Before the time of a change, and before the browser of whoever made it. */
  readonly when: string;
  readonly with: string;
  readonly changes: Readonly<Record<KeyChange, Words>>;
}
