/** What of a credential tells its wallet in a token. */
export interface TokenWallet {
  id: string;
  format: string;
  verifiedAt?: Date;
  address?: string | undefined;
  /** CAIP-2 namespace. */
  chain?: string | undefined;
  name_service?: object | undefined;
  wallet_name?: string | undefined;
  wallet_provider?: string | undefined;
  embedded_wallet_id?: string | undefined;
  lastSelectedAt?: Date;
}

/**
 * The wallet that the user is known by: the one selected last, else the first. One that nobody has proven, and whose key
 * is not kept here, is not the user's on anybody's word but an administrator's, so no token vouches for it.
 */
function knownBy(credentials: readonly TokenWallet[]): TokenWallet | null {
  let known: TokenWallet | null = null;
  for (const credential of credentials) {
    const { format, address, verifiedAt, embedded_wallet_id: embedded, lastSelectedAt } = credential;
    if (format !== 'blockchain' || !address || !(verifiedAt ?? embedded)) continue;
    if (!known || (lastSelectedAt ?? 0) > (known.lastSelectedAt ?? 0)) known = credential;
  }
  return known;
}

/** The claims of the full token about the user's main wallet, and about the one that was proven last. */
export function accountClaims(
  credentials: readonly TokenWallet[],
  lastVerified: string | null,
): { verified_account?: object; last_authenticated_account_id?: string } {
  const known = knownBy(credentials);
  const last = credentials.find(({ id, format }) => id === lastVerified && format === 'blockchain');
  if (!known) return {};
  const { id, address, chain, name_service, wallet_name, wallet_provider } = known;
  return {
    verified_account: { id, address, chain, name_service, wallet_name, wallet_provider },
    ...(last && { last_authenticated_account_id: last.id }),
  };
}
