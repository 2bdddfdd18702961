import { randomBytes } from 'node:crypto';

/** Ids of records by the name of their kind: `userId`, `webhookId`. */
export type RecordIds = Record<string, string>;

/** A word that nobody else uses. */
export const word = (): string => `w${randomBytes(8).toString('hex')}`;

/** A wallet address nobody else uses. */
export const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;
