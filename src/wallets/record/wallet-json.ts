/**
 * A wallet as the API shows it, as an SQL expression over the row `w` of `wallets` and its seed or imported key `s` (absent columns for
 * external wallets). The one place that says which columns become which fields: answers, events and the full form of a
 * user are all built from it.
 */
export const WALLET_JSON = `json_build_object(
  'id', w.id,
  'name', w.name,
  'chain', w.chain,
  'publicKey', w.address,
  'provider', w.provider,
  'properties', CASE WHEN w.kind = 'embedded' THEN json_build_object(
    'keyvaultSubOrganizationId', s.vault_organization_id,
    'keyvaultHDWalletId', CASE WHEN w.account_index IS NOT NULL THEN w.seed_id END,
    'keyvaultPrivateKeyId', CASE WHEN s.kind = 'private-key' THEN w.seed_id END,
    'keyvaultUserId', s.vault_user_id,
    'isAuthenticatorAttached', false,
    'isSessionKeyCompatible', false,
    'version', nullif(w.version, 'external'),
    'thresholdSignatureScheme', CASE WHEN w.version IN ('V2', 'V3') THEN (
      SELECT k.scheme FROM key_share_sets k WHERE k.environment_id = w.environment_id AND k.id = w.seed_id) END,
    'keyShares', CASE WHEN w.version IN ('V2', 'V3') THEN (
      SELECT json_agg(json_strip_nulls(json_build_object('id', b.id, 'backupLocation', b.location,
        'passwordEncrypted', b.password_encrypted, 'externalKeyShareId', b.external_key_share_id))
        ORDER BY b.created_at, b.id)
      FROM key_share_backups b
      WHERE b.environment_id = w.environment_id AND b.wallet_id = w.id AND EXISTS (
        SELECT FROM key_share_sets k
        WHERE k.environment_id = b.environment_id AND k.id = b.keys_id AND k.generation = b.generation)) END,
    'derivationPath', w.derivation_path,
    'claimed', w.claimed_at IS NOT NULL,
    'settings', CASE WHEN w.denies_delegation OR w.version = 'V3' OR w.dealt_keys_id IS NOT NULL THEN (
      SELECT json_strip_nulls(json_build_object(
        'hasDeniedDelegatedAccess', nullif(w.denies_delegation, false),
        'shouldRefreshOnNextSignOn', nullif(d.is_dealt, false)))
      FROM (SELECT EXISTS (
        SELECT FROM key_share_sets k
        WHERE k.environment_id = w.environment_id AND k.id IN (w.seed_id, w.dealt_keys_id) AND k.dealt) AS is_dealt) d
      WHERE w.denies_delegation OR d.is_dealt) END
  ) END,
  'lastSelectedAt', to_char(w.last_selected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
)`;

/** Where the seed `s` of a wallet `w` is. */
export const SEED_OF_WALLET = 'wallet_seeds s ON s.environment_id = w.environment_id AND s.id = w.seed_id';

/** The wallets of the user `u` that are not hidden, oldest first, as a JSON list. */
export const WALLETS_OF_USER = `(
  SELECT coalesce(json_agg(${WALLET_JSON} ORDER BY w.created_at, w.id), '[]'::json)
  FROM wallets w LEFT JOIN ${SEED_OF_WALLET}
  WHERE w.environment_id = u.environment_id AND w.user_id = u.id AND w.deleted_at IS NULL
)`;
