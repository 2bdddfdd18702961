import { createHash } from 'node:crypto';
import { generateSecret } from 'otplib';
import type { Session } from '../sessions/session.entity.js';

/** 120 bits in 24 base32 characters: they cannot be guessed, so a plain hash is enough and attempts are not limited. */
const TOKEN_BYTES = 15;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Identifies a device: by the client's public key. A session without one counts as a device of its own. */
export const deviceHash = ({ id, sessionPublicKey }: Pick<Session, 'id' | 'sessionPublicKey'>): Buffer =>
  sha256(sessionPublicKey ?? `session:${id}`);

export const newDeviceToken = (): string => generateSecret({ length: TOKEN_BYTES });

/** SHA-256 of a token as entered: case-insensitive, ignoring spaces and hyphens. */
export const deviceTokenHash = (token: string): Buffer => sha256(token.replaceAll(/[\s-]/g, '').toUpperCase());
