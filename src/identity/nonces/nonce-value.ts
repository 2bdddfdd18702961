import { createHash, randomBytes } from 'node:crypto';

/** 16 random bytes as hex: 128 bits, and alphanumeric as EIP-4361 §"nonce" asks (at least 8 such characters). */
export const newNonce = (): string => randomBytes(16).toString('hex');

/** What is stored of a nonce: its SHA-256, so that a copy of the table signs nobody in. */
export const nonceHash = (nonce: string): Buffer => createHash('sha256').update(nonce).digest();
