/** A row of `users` with what is gathered around it, as the statements select it. */
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
}

/** The base form of a user. What is absent stays absent: `undefined` does not reach JSON. */
export const baseForm = (row: UserRow): object => ({
  id: row.id,
  projectEnvironmentId: row.environment_id,
  verifiedCredentials: row.credentials ?? [],
  lastVerifiedCredentialId: row.last_verified_credential_id ?? undefined,
  alias: row.alias ?? undefined,
  country: row.country,
  email: row.email ?? undefined,
  firstName: row.first_name ?? undefined,
  jobTitle: row.job_title ?? undefined,
  lastName: row.last_name ?? undefined,
  phoneNumber: row.phone_number ?? undefined,
  policiesConsent: row.policies_consent ?? undefined,
  tShirtSize: row.t_shirt_size ?? undefined,
  team: row.team ?? undefined,
  username: row.username,
  firstVisit: row.first_visit ?? undefined,
  lastVisit: row.last_visit ?? undefined,
  metadata: row.metadata ?? {},
  mfaBackupCodeAcknowledgement: row.mfa_backup_code_acknowledgement,
  btcWallet: row.btc_wallet,
  kdaWallet: row.kda_wallet,
  ltcWallet: row.ltc_wallet,
  ckbWallet: row.ckb_wallet,
  kasWallet: row.kas_wallet,
  dogeWallet: row.doge_wallet,
  emailNotification: row.email_notification ?? undefined,
  discordNotification: row.discord_notification ?? undefined,
  newsletterNotification: row.newsletter_notification ?? undefined,
  missingFields: [],
});

/** The full form: what a server with an API token reads. */
export const fullForm = (row: UserRow): object => ({
  ...baseForm(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  sessions: [],
  wallets: row.wallets ?? [],
  oauthAccounts: [],
  mfaDevices: [],
});
