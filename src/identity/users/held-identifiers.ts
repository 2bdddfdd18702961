import { CHAIN_NAMESPACES } from '../vocabulary/chains.js';

/** Of names of chains; other texts are namespaces themselves. */
const NAMESPACES = `'${JSON.stringify(CHAIN_NAMESPACES)}'::jsonb`;
const NAMESPACE = `coalesce(${NAMESPACES} ->> c.chain, c.chain)`;

/**
 * The holders of each identifier in an environment (`$1`): emails and wallets normalised, social accounts as stored,
 * with their connection, since two issuers may use the same name for different people. The issuer that proved a foreign
 * subject is not stored beside it, so proven ones are left out. API calls add identifiers unchecked, so several users
 * may hold one; nobody can sign in with it then. Reads every credential of the environment.
 */
export const HELD_IDENTIFIERS = `(
  SELECT c.format, c.user_id, CASE c.format WHEN 'email' THEN coalesce(c.email_key, lower(c.email))
    WHEN 'oauth' THEN c.oauth_provider || ':' || coalesce(c.oauth_connection_id::text || ':', '') || c.oauth_account_id
    WHEN 'blockchain' THEN coalesce(${NAMESPACE} || ':' || normal_address(${NAMESPACE}, c.address), c.address)
    WHEN 'externalUser' THEN CASE WHEN c.verified_at IS NULL THEN c.public_identifier END
    ELSE c.public_identifier END AS identifier
  FROM credentials c WHERE c.environment_id = $1)`;

/** The users `u` who hold an identifier that another user holds too. */
export const HOLDS_A_SHARED_ONE = `u.id IN (
  SELECT compared.user_id FROM (
    SELECT held.user_id, min(held.user_id::text) OVER same <> max(held.user_id::text) OVER same AS is_shared
    FROM ${HELD_IDENTIFIERS} AS held WHERE held.identifier IS NOT NULL
    WINDOW same AS (PARTITION BY held.format, held.identifier)) AS compared
  WHERE compared.is_shared)`;
