import { createHash } from 'node:crypto';
import { generateSecret } from 'otplib';
import type { Session } from '../sessions/session.entity.js';

/** 120 bits in 24 characters of base32: nobody guesses them, so a plain hash hides them and tries need no count. */
const TOKEN_BYTES = 15;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What tells devices apart: the public key of the client. A session without one is a device of its own. */
export const deviceHash = ({ id, sessionPublicKey }: Pick<Session, 'id' | 'sessionPublicKey'>): Buffer =>
  sha256(sessionPublicKey ?? `session:${id}`);

export const newDeviceToken = (): string => generateSecret({ length: TOKEN_BYTES });

/** SHA-256 of a token as people copy it: in any case, with spaces or hyphens. */
export const deviceTokenHash = (token: string): Buffer => sha256(token.replaceAll(/[\s-]/g, '').toUpperCase());
