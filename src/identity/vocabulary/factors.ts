/** Factor classes: something you know, something you have, something you are (NIST SP 800-63B §2). */
export type FactorClass = 'knowledge' | 'possession' | 'inherence';

/** `amr` of a sign-in with an organization's provider, and of an operator's link; RFC 8176 names neither. */
export const SINGLE_SIGN_ON_AMR = 'sso';
export const LINK_AMR = 'link';

/** A code sent by email. */
export const EMAIL_CODE_AMR = 'otp';

/** Methods available to anybody who can read the user's mailbox. */
export const MAILBOX_AMR: readonly string[] = [EMAIL_CODE_AMR, LINK_AMR];

/** `amr` values for second factors. RFC 8176 uses `otp` for codes by email and by device alike. */
export const SECOND_FACTORS = ['totp', 'passkey', 'email', 'recovery'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];
