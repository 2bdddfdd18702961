import { createHash } from 'node:crypto';
import { generateSecret } from 'otplib';
import { RECOVERY_CODES } from './mfa-limits.js';

/** 120 bits, 24 base32 characters: too many to guess, so a plain hash is enough. */
const CODE_BYTES = 15;

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => generateSecret({ length: CODE_BYTES }));

/** SHA-256 of a code as entered: case-insensitive, ignoring spaces and hyphens. */
export const recoveryHash = (code: string): Buffer =>
  createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest();
