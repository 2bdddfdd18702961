import { createHash } from 'node:crypto';
import { generateSecret } from 'otplib';
import { RECOVERY_CODES } from './mfa-limits.js';

/** 120 bits, which are 24 characters of base32: too many to guess, so that a plain hash hides them. */
const CODE_BYTES = 15;

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => generateSecret({ length: CODE_BYTES }));

/** SHA-256 of a code as people write it: in any case, with spaces or hyphens. */
export const recoveryHash = (code: string): Buffer =>
  createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest();
