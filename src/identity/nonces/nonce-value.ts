import { createHash, randomBytes } from 'node:crypto';

/** 16 random bytes as hex: 128 bits, and alphanumeric as EIP-4361 §"nonce" requires (at least 8 such characters). */
export const newNonce = (): string => randomBytes(16).toString('hex');

/** The stored form of a nonce: its SHA-256, so that a leaked table cannot be used to sign in. */
export const nonceHash = (nonce: string): Buffer => createHash('sha256').update(nonce).digest();
