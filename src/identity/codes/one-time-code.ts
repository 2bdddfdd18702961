import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** Six digits, uniformly distributed. */
export const newCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');

/** Binds a code to its purpose, so that a different code with the same digits does not match. */
export interface CodeContext {
  environmentId: string;
  purpose: 'email-code' | 'sms-code';
  verificationId: string;
}

/**
 * The stored form of a code, HMAC-SHA256 over `environmentId|purpose|verificationId|code`. A plain hash of a million
 * possible codes is quickly brute-forced; the pepper, which the database holds only sealed, prevents this.
 */
export const codeHmac = (
  pepper: Buffer,
  { environmentId, purpose, verificationId }: CodeContext,
  code: string,
): Buffer => createHmac('sha256', pepper).update(`${environmentId}|${purpose}|${verificationId}|${code}`).digest();

/** Represents an address in the counters: an HMAC of its normal form, so that the table identifies nobody. */
export const destinationHash = (pepper: Buffer, environmentId: string, email: string): Buffer =>
  createHmac('sha256', pepper).update(`${environmentId}|destination|${email}`).digest();

/** Represents a client's network. */
export const networkHash = (pepper: Buffer, environmentId: string, network: string): Buffer =>
  createHmac('sha256', pepper).update(`${environmentId}|network|${network}`).digest();

/** Compares in constant time. */
export const sameHmac = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
