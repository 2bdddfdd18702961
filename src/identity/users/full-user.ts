import type { VerifiedCredential } from '../credentials/verified-credential.dto.js';
import type { WalletProperties } from '../credentials/wallet-properties.dto.js';
import type { MissingField } from '../custom-fields/missing-field.dto.js';
import { lastVerifiedOf } from '../credentials/last-verified.js';
import { namespaceOf } from '../vocabulary/chains.js';
import { missingFieldsOf } from './missing-fields.js';
import type { OAuthAccountSummary, Session, UserWallet } from './user-parts.dto.js';
import type { User } from './user.dto.js';

type Always =
  | 'verifiedCredentials'
  | 'oauthAccounts'
  | 'newUser'
  | 'createdAt'
  | 'updatedAt'
  | 'wallets'
  | 'screeningChecks'
  | 'mfaDevices';

/** A user as the service reads it: the full form, plus fields for internal use only. */
export type FullUser = User & Required<Pick<User, Always>> & { externalUserId?: string };

type OrNull<T> = { [K in keyof T]: T[K] | null };
/** Dates inside JSON are strings. */
type FromJson<T> = { [K in keyof T]: Date extends T[K] ? string | null : T[K] | null };

/** A wallet, and the name that the environment gave it, shown on its credential. */
type NamedWallet = UserWallet & { givenName?: { handle: string; domain: string } | null };

/** A row of the statements in `user-selection.ts`. */
export interface UserRow extends OrNull<
  Omit<
    FullUser,
    | 'id'
    | 'projectEnvironmentId'
    | 'createdAt'
    | 'updatedAt'
    | 'verifiedCredentials'
    | 'sessions'
    | 'missingFields'
    | 'wallets'
  >
> {
  id: string;
  projectEnvironmentId: string;
  createdAt: Date;
  updatedAt: Date;
  verifiedCredentials: FromJson<VerifiedCredential>[];
  sessions?: FromJson<Session>[];
  wallets: NamedWallet[] | null;
  /** The fields the environment requires of its users; null if none. */
  askedFields: MissingField[] | null;
}

/** Completes a row: adds derived fields, and empty lists where no context provides one. */
export function fullUserOf(row: UserRow): FullUser {
  const credentials = row.verifiedCredentials.map((credential) =>
    present<VerifiedCredential>(credential, ['lastSelectedAt', 'verifiedAt']),
  );
  showWallets(credentials, row.wallets ?? []);
  const main = mainWalletOf(credentials);
  const missingFields = missingFieldsOf(row.askedFields, row, credentials);
  // Assigned one by one: after a spread, each field of an object literal costs a V8 runtime call.
  const user = present<FullUser>(row, [], 'askedFields');
  if (missingFields) user.missingFields = missingFields;
  user.verifiedCredentials = credentials.map(asClientsReadIt);
  if (row.sessions) {
    user.sessions = row.sessions.map((session) => present<Session>(session, ['createdAt', 'revokedAt']));
  }
  if (user.lastVerifiedCredentialId) {
    const last = lastVerifiedOf(credentials, [user.lastVerifiedCredentialId]);
    if (last) user.lastVerifiedCredentialId = last;
    else delete user.lastVerifiedCredentialId;
  }
  if (main) {
    user.walletPublicKey = main.address;
    user.wallet = main.wallet_name;
    user.chain = main.chain as User['chain'];
  }
  user.oauthAccounts = credentials.filter(({ format }) => format === 'oauth').map(accountOf);
  // Sign-in writes both times in one transaction, so they are equal until the second visit.
  user.newUser = !row.lastVisit || !row.firstVisit || row.lastVisit <= row.firstVisit;
  user.wallets = row.wallets?.map(withoutName) ?? [];
  user.screeningChecks = row.screeningChecks ?? [];
  user.mfaDevices = row.mfaDevices ?? [];
  return user;
}

/** A credential stores the wallet's properties as created; shares, backups and the user's choices change later. */
function showWallets(credentials: readonly VerifiedCredential[], wallets: readonly NamedWallet[]): void {
  if (wallets.length === 0) return;
  const byId = new Map(wallets.map((wallet) => [wallet.id, wallet]));
  for (const { id, publicKey, givenName } of wallets) {
    if (givenName) nameCredential(credentials, { id, address: publicKey }, `${givenName.handle}.${givenName.domain}`);
  }
  for (const credential of credentials) {
    const { properties, lastSelectedAt } = byId.get(credential.embedded_wallet_id ?? '') ?? {};
    if (properties) credential.wallet_properties = present<WalletProperties>(properties);
    if (lastSelectedAt) credential.lastSelectedAt = new Date(lastSelectedAt);
  }
}

/** An unproven credential gets no name: names belong to the user who proved the wallet, or to keys kept here. */
function nameCredential(
  credentials: readonly VerifiedCredential[],
  wallet: { id: string; address: string },
  name: string,
): void {
  for (const credential of credentials) {
    const { embedded_wallet_id: embedded, format, address, verifiedAt } = credential;
    const isProven = embedded === undefined && format === 'blockchain' && verifiedAt && address === wallet.address;
    if (embedded === wallet.id || isProven) credential.name_service = { name };
  }
}

const withoutName = ({ givenName: _name, ...wallet }: NamedWallet): UserWallet => wallet;

/**
 * Clients identify the chain of a credential by its CAIP-2 namespace, and throw on an unknown name. People know a social
 * account by its name; the stored label is the id that the provider issued, often a number.
 */
function asClientsReadIt(credential: VerifiedCredential): VerifiedCredential {
  const { chain, oauth_username, oauth_display_name } = credential;
  if (chain !== undefined) return { ...credential, chain: namespaceOf(chain) };
  const name = oauth_username ?? oauth_display_name;
  return name === undefined ? credential : { ...credential, public_identifier: name };
}

/** The non-null fields of a row except `without`, with the fields in `dates` parsed. */
function present<T extends object>(row: object, dates: readonly (keyof T & string)[] = [], without?: string): T {
  const source = row as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const key in source) {
    const value = source[key];
    if (value !== null && key !== without) result[key] = value;
  }
  for (const key of dates) if (result[key] !== undefined) result[key] = new Date(result[key] as string);
  return result as T;
}

/** The wallet selected last, else the first one. */
function mainWalletOf(credentials: readonly VerifiedCredential[]): VerifiedCredential | null {
  let main: VerifiedCredential | null = null;
  for (const credential of credentials) {
    if (credential.format !== 'blockchain' || !credential.address) continue;
    if (!main || (credential.lastSelectedAt ?? 0) > (main.lastSelectedAt ?? 0)) main = credential;
  }
  return main;
}

const accountOf = ({ id, oauth_provider, oauth_username }: VerifiedCredential): OAuthAccountSummary => ({
  id,
  provider: oauth_provider,
  accountUsername: oauth_username,
});
