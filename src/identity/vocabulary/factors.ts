/** What a proof rests on: something known, something had, or something one is (NIST SP 800-63B §2). */
export type FactorClass = 'knowledge' | 'possession' | 'inherence';

/** What `amr` says of a sign-in at the provider of an organization, and of a link from the operator; RFC 8176 names neither. */
export const SINGLE_SIGN_ON_AMR = 'sso';
export const LINK_AMR = 'link';

/** A code that went to an address. */
export const EMAIL_CODE_AMR = 'otp';

/** Methods of whoever reads a mailbox of the user. */
export const MAILBOX_AMR: readonly string[] = [EMAIL_CODE_AMR, LINK_AMR];

/** What is written into `amr` once a second factor was given. RFC 8176 has `otp` for codes by mail and by device alike. */
export const SECOND_FACTORS = ['totp', 'passkey', 'email', 'recovery'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];
