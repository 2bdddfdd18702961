/** A row of `users` with its related data, as the statements select it. */
export interface UserRow {
  id: string;
  environment_id: string;
  email: string | null;
  alias: string | null;
  first_name: string | null;
  last_name: string | null;
  job_title: string | null;
  phone_number: string | null;
  username: string | null;
  t_shirt_size: string | null;
  team: string | null;
  country: string | null;
  policies_consent: boolean | null;
  metadata: object | null;
  mfa_backup_code_acknowledgement: string | null;
  btc_wallet: string | null;
  kda_wallet: string | null;
  ltc_wallet: string | null;
  ckb_wallet: string | null;
  kas_wallet: string | null;
  doge_wallet: string | null;
  email_notification: boolean | null;
  discord_notification: boolean | null;
  newsletter_notification: boolean | null;
  first_visit: Date | null;
  last_visit: Date | null;
  last_verified_credential_id: string | null;
  created_at: Date;
  updated_at: Date;
  credentials: object[] | null;
  wallets?: object[] | null;
  sessions?: object[] | null;
}

/** Omits null columns from the JSON. */
function present(record: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) if (value !== null) kept[key] = value;
  return kept;
}

const list = (records: object[] | null | undefined): object[] => (records ?? []).map(present);

/** The base form of a user. */
export const baseForm = (row: UserRow): object => ({
  ...present({
    id: row.id,
    projectEnvironmentId: row.environment_id,
    lastVerifiedCredentialId: row.last_verified_credential_id,
    alias: row.alias,
    country: row.country,
    email: row.email,
    firstName: row.first_name,
    jobTitle: row.job_title,
    lastName: row.last_name,
    phoneNumber: row.phone_number,
    policiesConsent: row.policies_consent,
    tShirtSize: row.t_shirt_size,
    team: row.team,
    username: row.username,
    firstVisit: row.first_visit,
    lastVisit: row.last_visit,
    metadata: row.metadata,
    mfaBackupCodeAcknowledgement: row.mfa_backup_code_acknowledgement,
    btcWallet: row.btc_wallet,
    kdaWallet: row.kda_wallet,
    ltcWallet: row.ltc_wallet,
    ckbWallet: row.ckb_wallet,
    kasWallet: row.kas_wallet,
    dogeWallet: row.doge_wallet,
    emailNotification: row.email_notification,
    discordNotification: row.discord_notification,
    newsletterNotification: row.newsletter_notification,
  }),
  newUser: row.first_visit === null || row.first_visit.getTime() === row.last_visit?.getTime(),
  verifiedCredentials: list(row.credentials),
});

/** The full form, for servers with an API token. Includes sessions if the statement selects them. */
export const fullForm = (row: UserRow): object => ({
  ...baseForm(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  wallets: list(row.wallets),
  oauthAccounts: [],
  screeningChecks: [],
  mfaDevices: [],
  ...(row.sessions !== undefined && { sessions: list(row.sessions) }),
});
