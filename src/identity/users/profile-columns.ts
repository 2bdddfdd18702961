import type { ProfileFields } from './profile-fields.dto.js';

/** The column of each profile field. Updates can reach no other fields. */
export const PROFILE_COLUMNS: Record<keyof ProfileFields, string> = {
  alias: 'alias',
  firstName: 'first_name',
  lastName: 'last_name',
  jobTitle: 'job_title',
  phoneNumber: 'phone_number',
  metadata: 'metadata',
  mfaBackupCodeAcknowledgement: 'mfa_backup_code_acknowledgement',
  tShirtSize: 't_shirt_size',
  team: 'team',
  policiesConsent: 'policies_consent',
  country: 'country',
  username: 'username',
  btcWallet: 'btc_wallet',
  kdaWallet: 'kda_wallet',
  ltcWallet: 'ltc_wallet',
  ckbWallet: 'ckb_wallet',
  kasWallet: 'kas_wallet',
  dogeWallet: 'doge_wallet',
  emailNotification: 'email_notification',
  discordNotification: 'discord_notification',
  newsletterNotification: 'newsletter_notification',
};

/** A profile as stored: the fields above plus identifiers outside the credentials. */
export type StoredProfile = Partial<Omit<ProfileFields, 'phoneNumber'>> & {
  email?: string | null;
  phoneNumber?: string | null;
  externalUserId?: string | null;
  privateMetadata?: Record<string, unknown> | null;
};

export const STORED_COLUMNS: Record<keyof StoredProfile, string> = {
  ...PROFILE_COLUMNS,
  email: 'email',
  externalUserId: 'external_user_id',
  privateMetadata: 'private_metadata',
};

/** Stored fields in column order: an empty name or email is stored as null. */
export function storedValues(profile: StoredProfile): unknown[] {
  return Object.keys(STORED_COLUMNS).map((key) => storedValue(key, profile[key as keyof StoredProfile]));
}

/** The given fields by column, as JSON text. Absent fields stay as they are, null clears. */
export function storedChanges(profile: StoredProfile): string {
  const changes: Record<string, unknown> = {};
  for (const [key, column] of Object.entries(STORED_COLUMNS)) {
    const value = profile[key as keyof StoredProfile];
    if (value !== undefined) changes[column] = EMPTY_IS_NONE.has(key) && value === '' ? null : value;
  }
  return JSON.stringify(changes);
}

const JSON_FIELDS = new Set(['metadata', 'privateMetadata']);
const EMPTY_IS_NONE = new Set(['email', 'username']);

function storedValue(key: string, value: unknown): unknown {
  if (value === undefined || (value === '' && EMPTY_IS_NONE.has(key))) return null;
  return JSON_FIELDS.has(key) && value !== null ? JSON.stringify(value) : value;
}
