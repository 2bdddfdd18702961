/** One statement per operation, prepared under its name. It also looks up the bearer's row. */

const WALLETS = `(
  SELECT json_agg(json_build_object(
    'id', w.id, 'name', w.name, 'chain', w.chain, 'publicKey', w.address, 'provider', w.provider,
    'lastSelectedAt', w.last_selected_at) ORDER BY w.id)
  FROM wallets w WHERE w.environment_id = u.environment_id AND w.user_id = u.id) AS wallets`;

const SESSIONS = `(
  SELECT json_agg(s) FROM (
    SELECT id, created_at AS "createdAt", ip_address AS "ipAddress", user_agent AS "userAgent", revoked_at AS "revokedAt"
    FROM sessions WHERE environment_id = u.environment_id AND user_id = u.id ORDER BY created_at DESC LIMIT 50
  ) s) AS sessions`;

const CREDENTIAL = `json_build_object(
  'id', c.id, 'format', c.format, 'signInEnabled', c.sign_in_enabled, 'verifiedAt', c.verified_at, 'email', c.email,
  'public_identifier', c.public_identifier, 'address', c.address, 'chain', c.chain, 'wallet_name', c.wallet_name,
  'wallet_provider', c.wallet_provider, 'wallet_properties', c.wallet_properties,
  'wallet_additional_addresses', c.wallet_additional_addresses, 'oauth_provider', c.oauth_provider,
  'oauth_account_id', c.oauth_account_id, 'oauth_username', c.oauth_username,
  'oauth_display_name', c.oauth_display_name, 'oauth_emails', c.oauth_emails,
  'oauth_account_photos', c.oauth_account_photos, 'phoneNumber', c.phone_number,
  'phoneCountryCode', c.phone_country_code, 'isoCountryCode', c.iso_country_code,
  'lastSelectedAt', c.last_selected_at)`;

const CREDENTIALS = `(
  SELECT json_agg(${CREDENTIAL} ORDER BY c.id)
  FROM credentials c WHERE c.environment_id = u.environment_id AND c.user_id = u.id) AS credentials`;

const TOKEN = 'api_tokens t WHERE t.token_hash = $1 AND t.environment_id = $2 AND t.expires_at > now()';

/** $1 token hash, $2 environment, $3 user. No row: not allowed; a row without `id`: no such user. */
export const GET_USER = {
  name: 'bare-get-user',
  text: `
    SELECT u.*, ${CREDENTIALS}, ${WALLETS}, ${SESSIONS}
    FROM (SELECT t.environment_id, t.scopes FROM ${TOKEN}) token
    LEFT JOIN users u ON u.environment_id = token.environment_id AND u.id = $3
    WHERE 'environment.users.read' = ANY (token.scopes)`,
};

/** $1 token hash, $2 environment, $3 limit. */
export const LIST_USERS = {
  name: 'bare-list-users',
  text: `
    SELECT u.*, ${CREDENTIALS}, ${WALLETS},
      (SELECT sum(users)::int FROM user_counts n WHERE n.environment_id = $2) AS count
    FROM (SELECT t.environment_id, t.scopes FROM ${TOKEN}) token
    JOIN users u ON u.environment_id = token.environment_id
    WHERE 'environment.users.read' = ANY (token.scopes)
    ORDER BY u.created_at DESC, u.id DESC LIMIT $3`,
};

/** $1 token hash, $2 environment, $3 user, $4 email, $5 alias, $6 first name, $7 last name, $8 credential, $9 verified. */
export const CREATE_USER = {
  name: 'bare-create-user',
  text: `
    WITH token AS (
      SELECT t.environment_id FROM ${TOKEN} AND 'environment.users.write' = ANY (t.scopes)
    ), u AS (
      INSERT INTO users (environment_id, id, email, alias, first_name, last_name)
      SELECT environment_id, $3, $4, $5, $6, $7 FROM token RETURNING *
    ), c AS (
      INSERT INTO credentials (environment_id, id, user_id, format, email, public_identifier, verified_at)
      SELECT environment_id, $8, id, 'email', $4, $4, $9::timestamptz FROM u RETURNING *
    )
    SELECT u.*, json_build_array(${CREDENTIAL}) AS credentials, NULL AS wallets FROM u, c`,
};

/** $1 environment, $2 session, $3 user. */
export const SESSION = {
  name: 'bare-session',
  text: `
    SELECT FROM sessions
    WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND revoked_at IS NULL AND expires_at > now()`,
};

/**
 * Creates a session for the user that the proof identifies. $1 environment, $2 and $3 the proof, $4 session, $5 token,
 * $6 audience, $7 address, $8 agent.
 * @param owner selects `user_id` and `credential_id`
 */
const signIn = (name: string, amr: string, owner: string) => ({
  name,
  text: `
    WITH ${owner}, u AS (
      UPDATE users SET last_visit = now(), first_visit = coalesce(first_visit, now()),
        last_verified_credential_id = owner.credential_id
      FROM owner WHERE users.environment_id = $1 AND users.id = owner.user_id RETURNING users.*
    ), session AS (
      INSERT INTO sessions (environment_id, id, user_id, credential_id, amr, audience, ip_address, user_agent, token_id,
        token_issued_at, token_expires_at, expires_at)
      SELECT $1, $4, user_id, credential_id, ARRAY['${amr}'], $6, $7, $8, $5, now(), now() + interval '2 hours',
        now() + interval '30 days'
      FROM owner RETURNING id
    )
    SELECT u.*, ${CREDENTIALS} FROM u, session`,
});

/** $2 verification, $3 HMAC of the code. */
export const SIGN_IN = signIn(
  'bare-sign-in',
  'otp',
  `code AS (
    UPDATE email_verifications SET used_at = now(), attempts = attempts + 1
    WHERE environment_id = $1 AND id = $2 AND code_hmac = $3 AND used_at IS NULL AND attempts < 5 AND expires_at > now()
    RETURNING email
  ), owner AS (
    SELECT c.user_id, c.id AS credential_id FROM code
    JOIN credentials c ON c.environment_id = $1 AND lower(c.email) = lower(code.email) AND c.format = 'email'
    ORDER BY c.id LIMIT 1
  )`,
);

/** $2 SHA-256 of the nonce, $3 address. Without `OFFSET 0` the planner scans all credentials in id order. */
export const WALLET_SIGN_IN = signIn(
  'bare-wallet-sign-in',
  'pop',
  `nonce AS (
    DELETE FROM nonces WHERE environment_id = $1 AND nonce_hash = $2 AND expires_at > now() RETURNING nonce_hash
  ), owner AS (
    SELECT held.user_id, held.id AS credential_id FROM (
      SELECT c.user_id, c.id FROM nonce
      JOIN credentials c ON c.environment_id = $1 AND lower(c.address) = lower($3) AND c.format = 'blockchain' OFFSET 0
    ) held ORDER BY held.id LIMIT 1
  )`,
);

/** $1 environment, $2 SHA-256 of the challenge, $3 the passkey's credential id. */
export const TAKE_CHALLENGE = {
  name: 'bare-take-challenge',
  text: `
    WITH taken AS (
      DELETE FROM passkey_challenges WHERE environment_id = $1 AND challenge_hash = $2 AND expires_at > now()
      RETURNING rp_id
    )
    SELECT p.id, p.public_key AS "publicKey", p.sign_count::int AS "signCount", taken.rp_id AS "rpId"
    FROM taken JOIN passkeys p ON p.environment_id = $1 AND p.credential_id = $3 AND p.rp_id = taken.rp_id`,
};

/** $2 passkey, $3 its counter. */
export const PASSKEY_SIGN_IN = signIn(
  'bare-passkey-sign-in',
  'swk',
  `passkey AS (
    UPDATE passkeys SET sign_count = $3, last_used_at = now() WHERE environment_id = $1 AND id = $2 RETURNING id
  ), owner AS (
    SELECT c.user_id, c.id AS credential_id FROM passkey JOIN credentials c ON c.environment_id = $1 AND c.id = passkey.id
  )`,
);

/** $1 environment, $2 SHA-256 of the state, $3 SHA-256 of the code given to the client, $4 PKCE challenge. */
export const TAKE_ATTEMPT = {
  name: 'bare-take-attempt',
  text: `
    DELETE FROM oauth_attempts
    WHERE environment_id = $1 AND state_hash = $2 AND code_hash = $3 AND code_challenge = $4 AND expires_at > now()
    RETURNING answer`,
};

/** $2 provider, $3 subject. */
export const OAUTH_SIGN_IN = signIn(
  'bare-oauth-sign-in',
  'fed',
  `owner AS (
    SELECT c.user_id, c.id AS credential_id FROM credentials c
    WHERE c.environment_id = $1 AND c.oauth_provider = $2 AND c.oauth_account_id = $3 LIMIT 1
  )`,
);

/** $1 environment, $2 session, $3 user, $4 wallet. */
export const KEY_ROW = {
  name: 'bare-key-row',
  text: `
    SELECT k.sealed_entropy FROM sessions s
    JOIN wallets w ON w.environment_id = s.environment_id AND w.user_id = s.user_id AND w.id = $4 AND w.deleted_at IS NULL
    JOIN wallet_seeds k ON k.environment_id = w.environment_id AND k.id = w.seed_id
    WHERE s.environment_id = $1 AND s.id = $2 AND s.user_id = $3 AND s.revoked_at IS NULL AND s.expires_at > now()`,
};
