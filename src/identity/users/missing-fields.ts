import { isProvenContact } from '../credentials/proven-contacts.js';
import type { VerifiedCredential } from '../credentials/verified-credential.dto.js';
import type { MissingField } from '../custom-fields/missing-field.dto.js';
import { STORED_COLUMNS, type StoredProfile } from './profile-columns.js';

/** The fields that environment `$1` requires of its users, null if none; evaluated once per statement. */
export const ASKED_FIELDS = '(SELECT fields FROM asked_fields WHERE environment_id = $1)';

/** Stored with the user but never required. */
type Unasked = 'metadata' | 'privateMetadata';
export type AskedProfile = { readonly [K in Exclude<keyof StoredProfile, Unasked>]?: unknown } & {
  readonly metadata?: object | null;
};

/**
 * The fields an environment requires and a user has not supplied; null if none. Declined consent, text without a
 * visible character, and an unverified contact that must be verified all count as missing; an unknown field does not.
 */
export function missingFieldsOf(
  asked: readonly MissingField[] | null,
  user: AskedProfile,
  credentials: readonly VerifiedCredential[] = [],
): MissingField[] | null {
  const missing = asked?.filter((field) => !isSupplied(field, user, credentials)) ?? [];
  return missing.length > 0 ? missing : null;
}

function isSupplied(
  { name, type, validationType, required, verify }: MissingField,
  user: AskedProfile,
  credentials: readonly VerifiedCredential[],
): boolean {
  if (type === 'custom') {
    const given = own(user.metadata, name);
    return validationType === 'checkbox' && required ? given === true : isGiven(given);
  }
  if (name === 'policiesConsent') return user.policiesConsent === true;
  if (!isProfileField(name)) return true;
  const given = user[name];
  const mustBeProven = verify && (name === 'email' || name === 'phoneNumber');
  return mustBeProven && typeof given === 'string' ? isProvenContact(name, given, credentials) : isGiven(given);
}

/** Whether users can have a value for the field, so that it can be missing. */
export const isProfileField = (name: string): name is Exclude<keyof StoredProfile, Unasked> =>
  Object.hasOwn(STORED_COLUMNS, name) && name !== 'metadata' && name !== 'privateMetadata';

/** A visible character. Spaces, zero-width marks, fillers and the Braille blank do not count. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && (typeof value !== 'string' || VISIBLE.test(value));

const own = (record: object | null | undefined, key: string): unknown =>
  record && Object.hasOwn(record, key) ? (record as Record<string, unknown>)[key] : undefined;
