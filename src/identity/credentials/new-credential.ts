import { newId } from '../../common/ids.js';
import { emailKeyOf } from './identifiers.js';
import type { Credential } from './credential.entity.js';

/** A credential to be stored. Absent values are stored as null; sign-in is enabled unless stated otherwise. */
export type NewCredential = Pick<Credential, 'format'> &
  Partial<Omit<Credential, 'environmentId' | 'userId' | 'createdAt' | 'format' | 'emailKey' | 'verifiedAt'>> & {
    /** `now` for what is proven in this transaction: the time of the database, which is that of the claim. */
    verifiedAt?: Date | 'now' | null;
  };

type Stored = Exclude<keyof Credential, 'environmentId' | 'userId' | 'createdAt'>;
type Given = Exclude<Stored, 'emailKey'>;

const COLUMN_TYPES: Record<Stored, readonly [column: string, type: string]> = {
  id: ['id', 'uuid'],
  format: ['format', 'text'],
  signInEnabled: ['sign_in_enabled', 'boolean'],
  verifiedAt: ['verified_at', 'timestamptz'],
  email: ['email', 'text'],
  emailKey: ['email_key', 'text'],
  publicIdentifier: ['public_identifier', 'text'],
  address: ['address', 'text'],
  chain: ['chain', 'text'],
  contractNetwork: ['contract_network', 'integer'],
  walletId: ['wallet_id', 'uuid'],
  walletName: ['wallet_name', 'text'],
  walletProvider: ['wallet_provider', 'text'],
  walletProperties: ['wallet_properties', 'jsonb'],
  walletAdditionalAddresses: ['wallet_additional_addresses', 'jsonb'],
  oauthProvider: ['oauth_provider', 'text'],
  oauthAccountId: ['oauth_account_id', 'text'],
  oauthConnectionId: ['oauth_connection_id', 'uuid'],
  oauthUsername: ['oauth_username', 'text'],
  oauthDisplayName: ['oauth_display_name', 'text'],
  oauthEmails: ['oauth_emails', 'text[]'],
  oauthAccountPhotos: ['oauth_account_photos', 'text[]'],
  oauthMetadata: ['oauth_metadata', 'jsonb'],
  phoneNumber: ['phone_number', 'text'],
  phoneCountryCode: ['phone_country_code', 'text'],
  isoCountryCode: ['iso_country_code', 'text'],
  lastSelectedAt: ['last_selected_at', 'timestamptz'],
  previousUsers: ['previous_users', 'uuid[]'],
};

export const CREDENTIAL_COLUMNS: readonly string[] = Object.values(COLUMN_TYPES).map(([column]) => column);

/** The columns with their types, for `jsonb_to_recordset`. */
export const CREDENTIAL_RECORD = Object.values(COLUMN_TYPES)
  .map(([column, type]) => `${column} ${type}`)
  .join(', ');

/** Credentials as a single JSON parameter of an insert, so that one statement fits any number and shape. */
export const credentialRows = (credentials: readonly NewCredential[]): string =>
  JSON.stringify(
    credentials.map((credential) => {
      const row: Record<string, unknown> = { id: newId(), sign_in_enabled: true };
      for (const [key, [column]] of Object.entries(COLUMN_TYPES)) {
        const value = credential[key as Given];
        if (value !== undefined) row[column] = value;
      }
      if (credential.email) row['email_key'] = emailKeyOf(credential.email);
      return row;
    }),
  );
