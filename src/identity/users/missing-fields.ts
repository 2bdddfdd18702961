import { isProvenContact } from '../credentials/proven-contacts.js';
import type { VerifiedCredential } from '../credentials/verified-credential.dto.js';
import type { MissingField } from '../custom-fields/missing-field.dto.js';
import { STORED_COLUMNS, type StoredProfile } from './profile-columns.js';

/** What the environment `$1` asks of its users, null when that is nothing; found once for a statement. */
export const ASKED_FIELDS = '(SELECT fields FROM asked_fields WHERE environment_id = $1)';

/** Kept with the user and asked of nobody. */
type Unasked = 'metadata' | 'privateMetadata';
export type AskedProfile = { readonly [K in Exclude<keyof StoredProfile, Unasked>]?: unknown } & {
  readonly metadata?: object | null;
};

/**
 * What an environment asks for and a user has not supplied; null when that is nothing. Consent that is refused is no
 * consent, a text in which nothing can be seen is no answer, a contact that is to be verified and was only stated is
 * not there yet, and a field nobody knows is not missing.
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

const isProfileField = (name: string): name is Exclude<keyof StoredProfile, Unasked> =>
  Object.hasOwn(STORED_COLUMNS, name) && name !== 'metadata' && name !== 'privateMetadata';

/** A character that somebody sees. Spaces, marks without a width, fillers and the blank of Braille answer nothing. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const isGiven = (value: unknown): boolean =>
  value !== null && value !== undefined && (typeof value !== 'string' || VISIBLE.test(value));

const own = (record: object | null | undefined, key: string): unknown =>
  record && Object.hasOwn(record, key) ? (record as Record<string, unknown>)[key] : undefined;
