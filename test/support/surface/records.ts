import { randomBytes } from 'node:crypto';

/** Record ids by the name of their kind: `userId`, `webhookId`. */
export type RecordIds = Record<string, string>;

/** A unique word. */
export const word = (): string => `w${randomBytes(8).toString('hex')}`;

/** A unique wallet address. */
export const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;
