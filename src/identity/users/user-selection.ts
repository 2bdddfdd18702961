import { isEmbeddedRow } from '../credentials/embedded.js';
import { ASKED_FIELDS } from './missing-fields.js';
import { PROFILE_COLUMNS } from './profile-columns.js';

/** What to read besides the user and its credentials. */
export interface UserView {
  sessions: boolean;
  /** Metadata from providers; only when a single user is read. */
  oauthMetadata: boolean;
}

const COLUMNS = [
  'u.id',
  'u.environment_id AS "projectEnvironmentId"',
  'u.external_user_id AS "externalUserId"',
  'u.email',
  'u.last_verified_credential_id AS "lastVerifiedCredentialId"',
  'u.first_visit AS "firstVisit"',
  'u.last_visit AS "lastVisit"',
  'u.private_metadata AS "privateMetadata"',
  'u.created_at AS "createdAt"',
  'u.updated_at AS "updatedAt"',
  ...Object.entries(PROFILE_COLUMNS).map(([key, column]) => `u.${column} AS "${key}"`),
  `${ASKED_FIELDS} AS "askedFields"`,
].join(', ');

const CREDENTIAL: Record<string, string> = {
  id: 'c.id',
  format: 'c.format',
  signInEnabled: 'c.sign_in_enabled',
  verifiedAt: 'c.verified_at',
  email: 'c.email',
  public_identifier: 'c.public_identifier',
  address: 'c.address',
  chain: 'c.chain',
  contract_network: 'c.contract_network',
  wallet_name: 'c.wallet_name',
  wallet_provider: 'c.wallet_provider',
  wallet_properties: 'c.wallet_properties',
  wallet_additional_addresses: 'c.wallet_additional_addresses',
  embedded_wallet_id: `CASE WHEN ${isEmbeddedRow('c')} THEN c.wallet_id END`,
  oauth_provider: 'c.oauth_provider',
  oauth_account_id: 'c.oauth_account_id',
  oauth_connection_id: 'c.oauth_connection_id',
  oauth_username: 'c.oauth_username',
  oauth_display_name: 'c.oauth_display_name',
  oauth_emails: 'c.oauth_emails',
  oauth_account_photos: 'c.oauth_account_photos',
  phoneNumber: 'c.phone_number',
  phoneCountryCode: 'c.phone_country_code',
  isoCountryCode: 'c.iso_country_code',
  lastSelectedAt: 'c.last_selected_at',
  previous_users: 'c.previous_users',
};

const jsonObject = (fields: Record<string, string>): string =>
  `json_build_object(${Object.entries(fields)
    .map(([key, expression]) => `'${key}', ${expression}`)
    .join(', ')})`;

/** The credentials of the rows `c` of `source`, oldest first. */
const credentials = (source: string, oauthMetadata: boolean): string => {
  const fields = oauthMetadata ? { ...CREDENTIAL, oauth_metadata: 'c.oauth_metadata' } : CREDENTIAL;
  return `(SELECT coalesce(json_agg(${jsonObject(fields)} ORDER BY c.created_at, c.id), '[]') FROM ${source}) AS "verifiedCredentials"`;
};

const SESSIONS = `(SELECT coalesce(json_agg(s), '[]') FROM (
    SELECT id, created_at AS "createdAt", ip_address AS "ipAddress", user_agent AS "userAgent", revoked_at AS "revokedAt"
    FROM sessions WHERE environment_id = u.environment_id AND user_id = u.id ORDER BY created_at DESC LIMIT 50
  ) s) AS sessions`;

/** The selection of a whole user over the row `u`: one statement, whatever the user has. */
export function userSelection(view: UserView, facets: string): string {
  const own = credentials(
    'credentials c WHERE c.environment_id = u.environment_id AND c.user_id = u.id',
    view.oauthMetadata,
  );
  return `${COLUMNS}, ${own}${view.sessions ? `, ${SESSIONS}` : ''}${facets}`;
}

/** The same over rows `u` and `c` that the statement itself inserts. */
export const insertedSelection = (facets: string): string => `${COLUMNS}, ${credentials('c', false)}${facets}`;
