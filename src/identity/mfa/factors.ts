import { MAILBOX_AMR, SECOND_FACTORS, type FactorClass, type SecondFactor } from '../vocabulary/factors.js';

/** More than one class of factors (RFC 8176 §2). */
const MULTIPLE = 'mfa';

/** Classes of the methods of `amr`. `user` tells that somebody was there, not who. A recovery code replaces a factor and is of no class: it raises no level. */
const CLASSES: Readonly<Record<string, readonly FactorClass[]>> = {
  otp: ['possession'],
  sms: ['possession'],
  swk: ['possession'],
  hwk: ['possession'],
  pop: ['possession'],
  totp: ['possession'],
  passkey: ['possession'],
  email: ['possession'],
  pwd: ['knowledge'],
  pin: ['knowledge'],
  kba: ['knowledge'],
  fpt: ['inherence'],
  face: ['inherence'],
};

export const hasSecondFactor = (amr: readonly string[]): boolean =>
  SECOND_FACTORS.some((factor) => amr.includes(factor));

/** First factors that are the same thing once more: a mailbox, or a key that its holder may have copied. */
const SAME: Partial<Record<SecondFactor, readonly string[]>> = { email: MAILBOX_AMR, passkey: ['swk', 'hwk'] };

/** Whether a factor tells more than those of a session do, so that it can be the second one. */
export const isAnother = (amr: readonly string[], factor: SecondFactor): boolean =>
  !SAME[factor]?.some((method) => amr.includes(method));

/** `amr` after one more factor. `mfa` stands in it when the factors are of two classes (NIST SP 800-63B §4.2.1). */
export function raised(amr: readonly string[], factor: SecondFactor): string[] {
  const methods = [...new Set([...amr.filter((method) => method !== MULTIPLE), factor])];
  // What an identity provider says to have checked is not known here, so it counts as what it is: no class.
  const classes = new Set(methods.flatMap((method) => CLASSES[method] ?? []));
  return classes.size > 1 ? [...methods, MULTIPLE] : methods;
}
