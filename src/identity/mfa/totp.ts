import { generateSecret, generateURI, verifySync } from 'otplib';

/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
const CODE = /^[0-9]{6}$/;

/** A shared secret in base32. */
export const newTotpSecret = (): string => generateSecret({ length: SECRET_BYTES });

/** What an authenticator application reads from the picture; SHA-1, six digits, 30 seconds, which all of them know. */
export const totpUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  generateURI({ issuer, label, secret });

/**
 * The time step of a code: the present one, or the one before or after it (RFC 6238 §5.2), if it is later than the last
 * one taken.
 * @param nowSeconds of the service
 */
export function stepOf(secret: string, code: string, nowSeconds: number, lastStep: number): number | null {
  if (!CODE.test(code)) return null;
  const window = { epoch: nowSeconds, epochTolerance: STEP_SECONDS };
  // The library refuses a last step beyond its window, where a code cannot be new anyway.
  if (lastStep >= Math.floor((nowSeconds + STEP_SECONDS) / STEP_SECONDS)) return null;
  const result = verifySync({ secret, token: code, ...window, ...(lastStep > 0 && { afterTimeStep: lastStep }) });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
