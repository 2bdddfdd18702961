import { randomBytes, randomInt } from 'node:crypto';

/** Undeliverable: the top-level domain is reserved (RFC 2606 §2). */
const DOMAIN = '@test-account.invalid';

/** Recognised by the address alone, so that other sign-ins need no query. */
export const isTestAddress = (email: string): boolean => email.endsWith(DOMAIN);

/** An unguessable address. */
export const newTestAddress = (): string => `test-${randomBytes(8).toString('hex')}${DOMAIN}`;

/** A number reserved for fiction: 555-0100 to 555-0199, here in area code 202. */
export const newTestPhone = (): string => `+1202555${(100 + randomInt(100)).toString().padStart(4, '0')}`;

/** The numbers that {@link newTestPhone} generates: reserved for fiction, so no message can be delivered. */
export const isTestPhone = (number: string): boolean => /^\+120255501\d\d$/.test(number);

export const newTestCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');
