import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** Six digits, each code as likely as any other. */
export const newCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');

/** What a code is for, so that one of another kind with the same digits does not fit. */
export interface CodeContext {
  environmentId: string;
  purpose: 'email-code' | 'sms-code';
  verificationId: string;
}

/**
 * What is stored of a code, HMAC-SHA256 over `environmentId|purpose|verificationId|code`. A million codes are
 * quickly tried out against a plain hash; without the pepper, which is not in the database in the clear, they are not.
 */
export const codeHmac = (
  pepper: Buffer,
  { environmentId, purpose, verificationId }: CodeContext,
  code: string,
): Buffer => createHmac('sha256', pepper).update(`${environmentId}|${purpose}|${verificationId}|${code}`).digest();

/** What stands for an address in the counters: an HMAC of its normal form, so that the table names nobody. */
export const destinationHash = (pepper: Buffer, environmentId: string, email: string): Buffer =>
  createHmac('sha256', pepper).update(`${environmentId}|destination|${email}`).digest();

/** What stands for the network of a client. */
export const networkHash = (pepper: Buffer, environmentId: string, network: string): Buffer =>
  createHmac('sha256', pepper).update(`${environmentId}|network|${network}`).digest();

/** Compares in constant time. */
export const sameHmac = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
