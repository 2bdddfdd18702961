/** Key events that people are notified of, since someone else may have caused them. */
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

/** `{brand}` is the environment's name, `{address}` the wallet's address, `{until}` the end of the access or of the delay. */
interface Words {
  readonly subject: string;
  readonly what: string;
  readonly advice: string;
}

/** The complete texts of one language. */
export interface KeyLanguage {
  /** The primary BCP 47 subtag, such as `en`. */
  readonly code: string;
  /** The label for the time of a change; `with` is the label for the browser that made it. */
  readonly when: string;
  readonly with: string;
  readonly changes: Readonly<Record<KeyChange, Words>>;
}
