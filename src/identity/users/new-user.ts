import { normalAddress } from '../../common/addresses/normal-address.js';
import { newId } from '../../common/ids.js';
import { socialAccountKey } from '../credentials/identifiers.js';
import type { NewCredential } from '../credentials/new-credential.js';
import { CHAIN_NAMESPACES } from '../vocabulary/chains.js';
import type { Connections } from './given-accounts.js';
import type { StoredProfile } from './profile-columns.js';
import type { NewUserWallet } from './user-facets.js';
import type { BulkUserCreateItem, CreateUserOauthRequest, CreateWalletRequest } from './user-request.dto.js';

/** A creation request as it is stored. */
export interface NewUser {
  profile: StoredProfile;
  credentials: NewCredential[];
  wallets: NewUserWallet[];
}

/**
 * What a request asserts, unchecked and unproven. An email is enabled for sign-in if the caller vouches for it with
 * `emailVerifiedAt`; to sign in, its owner still has to prove it. Of wallets and accounts that a sign-in cannot tell
 * apart, the first is stored: otherwise, after its user has unlinked one, another would still let it in.
 */
export function newUserOf(request: BulkUserCreateItem, connections: Connections = new Map()): NewUser {
  const { email: given, emailVerifiedAt, wallets = [], oauthAccounts = [], ...profile } = request;
  // Emails are looked up in lower case, which would not match composed with decomposed letters.
  const email = given?.normalize('NFC');
  // Ids are generated in the order in which credentials are listed.
  const identities = [
    ...(email ? [emailCredential(email, emailVerifiedAt ?? null)] : []),
    ...firstOfEach(oauthAccounts, accountKey).map((account) =>
      oauthCredential(account, connections.get(account.provider) ?? null),
    ),
  ];
  const owned = firstOfEach(wallets, walletKey).map(walletOf);
  return {
    profile: { ...profile, email: email || null },
    credentials: [...identities, ...owned.map(walletCredential)],
    wallets: owned,
  };
}

function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const keys = items.map(keyOf);
  return items.filter((_, at) => keys.indexOf(keys[at]!) === at);
}

const accountKey = ({ provider, accountId }: CreateUserOauthRequest): string => socialAccountKey(provider, accountId);

const walletKey = ({ chain, publicWalletAddress }: CreateWalletRequest): string => {
  const namespace = CHAIN_NAMESPACES[chain];
  return `${namespace}:${normalAddress(namespace, publicWalletAddress)}`;
};

const emailCredential = (email: string, verifiedAt: Date | null): NewCredential => ({
  id: newId(),
  format: 'email',
  email,
  publicIdentifier: email,
  verifiedAt,
  signInEnabled: verifiedAt !== null,
});

const oauthCredential = (account: CreateUserOauthRequest, connection: string | null): NewCredential => ({
  id: newId(),
  format: 'oauth',
  oauthProvider: account.provider,
  oauthAccountId: account.accountId,
  oauthConnectionId: connection,
  oauthUsername: account.username ?? null,
  oauthDisplayName: account.displayName ?? null,
  oauthEmails: account.emails?.filter((email) => email !== '') ?? null,
  oauthAccountPhotos: account.photos ?? null,
  oauthMetadata: account.profile ?? null,
  publicIdentifier: account.username ?? account.displayName ?? account.accountId,
});

const walletOf = (wallet: CreateWalletRequest): NewUserWallet => ({
  id: newId(),
  credentialId: newId(),
  address: wallet.publicWalletAddress,
  chain: wallet.chain,
  name: wallet.walletName,
  provider: wallet.walletProvider,
  additionalAddresses: wallet.additionalWalletAddresses ?? [],
});

const walletCredential = (wallet: NewUserWallet): NewCredential => ({
  id: wallet.credentialId,
  format: 'blockchain',
  address: wallet.address,
  chain: wallet.chain,
  walletId: wallet.id,
  walletName: wallet.name,
  walletProvider: wallet.provider,
  walletAdditionalAddresses: wallet.additionalAddresses.map((address) => ({ ...address })),
  publicIdentifier: wallet.address,
});
