import { MAILBOX_AMR, SECOND_FACTORS, type FactorClass, type SecondFactor } from '../vocabulary/factors.js';

/** Factors of more than one class (RFC 8176 §2). */
const MULTIPLE = 'mfa';

/**
 * Factor classes by `amr` method. `user` states that somebody was present, not who. A recovery code replaces a factor
 * and has no class: it raises no level.
 */
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

/** First factors that prove the same thing again: a mailbox, or a key that its holder may have copied. */
const SAME: Partial<Record<SecondFactor, readonly string[]>> = { email: MAILBOX_AMR, passkey: ['swk', 'hwk'] };

/** Whether a factor adds to those of a session, so that it can be the second one. */
export const isAnother = (amr: readonly string[], factor: SecondFactor): boolean =>
  !SAME[factor]?.some((method) => amr.includes(method));

/** `amr` with one more factor. Includes `mfa` if the factors are of two classes (NIST SP 800-63B §4.2.1). */
export function raised(amr: readonly string[], factor: SecondFactor): string[] {
  const methods = [...new Set([...amr.filter((method) => method !== MULTIPLE), factor])];
  // What an identity provider claims to have checked cannot be verified here, so it belongs to no class.
  const classes = new Set(methods.flatMap((method) => CLASSES[method] ?? []));
  return classes.size > 1 ? [...methods, MULTIPLE] : methods;
}
