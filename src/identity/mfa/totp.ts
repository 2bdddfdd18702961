import { generateSecret, generateURI, verifySync } from 'otplib';

/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
const CODE = /^[0-9]{6}$/;

/** A shared secret in base32. */
export const newTotpSecret = (): string => generateSecret({ length: SECRET_BYTES });

/** The content of the QR code; SHA-1, six digits and 30 seconds, which all authenticator apps support. */
export const totpUri = (secret: string, { issuer, label }: { issuer: string; label: string }): string =>
  generateURI({ issuer, label, secret });

/**
 * The time step of a code: the current one, the one before or the one after (RFC 6238 §5.2), if later than the last
 * accepted one.
 * @param nowSeconds by the service's clock
 */
export function stepOf(secret: string, code: string, nowSeconds: number, lastStep: number): number | null {
  if (!CODE.test(code)) return null;
  const window = { epoch: nowSeconds, epochTolerance: STEP_SECONDS };
  // The library rejects a last step beyond its window, where a code cannot be new anyway.
  if (lastStep >= Math.floor((nowSeconds + STEP_SECONDS) / STEP_SECONDS)) return null;
  const result = verifySync({ secret, token: code, ...window, ...(lastStep > 0 && { afterTimeStep: lastStep }) });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
