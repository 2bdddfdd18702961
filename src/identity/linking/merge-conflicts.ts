import { SdkUser } from '../users/user.dto.js';
import type { FullUser } from '../users/full-user.js';
import type { StoredProfile } from '../users/profile-columns.js';
import { cutText } from '../../common/cut-text.js';
import { projectionOf } from '../../common/fields/index.js';
import { mergeAccountsInvalid } from './linking.errors.js';

/** Profile fields with a single value after a merge. */
const ONE_VALUE = [
  'alias',
  'firstName',
  'lastName',
  'jobTitle',
  'username',
  'tShirtSize',
  'team',
  'country',
  'btcWallet',
  'kdaWallet',
  'ltcWallet',
  'ckbWallet',
  'kasWallet',
  'dogeWallet',
] as const satisfies readonly (keyof StoredProfile & keyof FullUser)[];

/** Taken from the removed account only if the remaining one has none. */
const FILLED = [
  ...ONE_VALUE,
  'email',
  'phoneNumber',
  'policiesConsent',
  'emailNotification',
  'discordNotification',
  'newsletterNotification',
  'externalUserId',
] as const satisfies readonly (keyof StoredProfile & keyof FullUser)[];

const MAX_SHOWN = 255;

/** In the form in which clients know missing fields. */
export interface ConflictField {
  name: string;
  type?: 'standard' | 'custom' | undefined;
}

export interface MergeValue {
  userId: string;
  value: string;
}

/** A field for which both users have different values. */
export interface MergeConflict {
  field: ConflictField;
  fromUser: MergeValue;
  currentUser: MergeValue;
}

/** The value to keep. */
export interface MergeResolution {
  userId: string;
  fieldKey: string;
  type: 'standard' | 'custom';
}

type Metadata = Record<string, unknown>;
const metadataOf = ({ metadata }: FullUser): Metadata => metadata ?? {};
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const shownValue = (value: unknown): string =>
  cutText(typeof value === 'string' ? value : JSON.stringify(value), MAX_SHOWN);
const standardField = (name: string): ConflictField & Record<string, unknown> => ({
  name,
  type: 'standard',
  required: false,
  enabled: true,
  unique: name === 'username',
  verify: false,
});

/** The conflicts the person must resolve. @param customFields those of the environment */
export function mergeConflicts(
  current: FullUser,
  from: FullUser,
  customFields: readonly ConflictField[],
): MergeConflict[] {
  const conflict = (field: ConflictField, theirs: unknown, own: unknown): MergeConflict[] =>
    isGiven(theirs) && isGiven(own) && JSON.stringify(theirs) !== JSON.stringify(own)
      ? [
          {
            field,
            fromUser: { userId: from.id, value: shownValue(theirs) },
            currentUser: { userId: current.id, value: shownValue(own) },
          },
        ]
      : [];
  return [
    ...ONE_VALUE.flatMap((name) => conflict(standardField(name), from[name], current[name])),
    ...customFields.flatMap((field) => conflict(field, metadataOf(from)[field.name], metadataOf(current)[field.name])),
  ];
}

/**
 * The remaining user's profile: the chosen values, those only one of the two has, and otherwise its own.
 * @throws ApiError 422 `merge_accounts_invalid` for an unresolved conflict, or a resolution without a conflict
 */
export function mergedProfile(
  current: FullUser,
  from: FullUser,
  conflicts: readonly MergeConflict[],
  resolutions: readonly MergeResolution[],
): StoredProfile {
  const chosen = new Map<string, string>();
  const keyOf = (type: string | undefined, name: string): string => `${type ?? 'standard'} ${name}`;
  const open = new Set(conflicts.map(({ field }) => keyOf(field.type, field.name)));
  for (const { userId: named, fieldKey, type } of resolutions) {
    const [key, userId] = [keyOf(type, fieldKey), named.toLowerCase()];
    const isOne = userId === current.id || userId === from.id;
    if (!open.has(key) || !isOne || chosen.has(key)) throw mergeAccountsInvalid({ hint: NO_CONFLICT });
    chosen.set(key, userId);
  }
  if (chosen.size < open.size) throw mergeAccountsInvalid({ hint: UNANSWERED });
  const takesTheirs = (type: 'standard' | 'custom', name: string): boolean => chosen.get(keyOf(type, name)) === from.id;
  const profile: Record<string, unknown> = {};
  for (const name of FILLED) {
    if (takesTheirs('standard', name) || (!isGiven(current[name]) && isGiven(from[name]))) profile[name] = from[name];
  }
  const own = metadataOf(current);
  const metadata: Metadata = { ...metadataOf(from), ...own };
  for (const [name, value] of Object.entries(metadataOf(from))) {
    if (!isGiven(own[name]) || takesTheirs('custom', name)) metadata[name] = value;
  }
  if (JSON.stringify(metadata) !== JSON.stringify(own)) profile['metadata'] = metadata;
  // Servers' private notes on either user, such as a ban, survive a merge.
  if (from.privateMetadata) profile['privateMetadata'] = { ...from.privateMetadata, ...current.privateMetadata };
  return profile;
}

const NO_CONFLICT = 'An answer names a field that is not in conflict, or a user who is neither of the two.';
const UNANSWERED = 'Call verifyMergeUsers with one answer for each conflict of `payload.mergeConflicts`.';

/** The preview, as the `payload` of an error. */
export const mergePayload = (from: FullUser, conflicts: readonly MergeConflict[]): Record<string, unknown> => ({
  mergeConflicts: { fromUser: projectionOf(SdkUser)(from), conflicts },
});
