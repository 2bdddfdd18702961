import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../database/index.js';
import { hashOf } from './custom-fields/value-registry.js';

const TAKE_SIGN_IN = scopedStatement(
  'credentials.takeSignInOfEmbedded',
  `UPDATE credentials SET sign_in_enabled = false, verified_at = NULL
   WHERE environment_id = $1 AND wallet_provider = 'embeddedWallet' AND (sign_in_enabled OR verified_at IS NOT NULL)`,
);
/** Those of users who do not have the wallet as an external one. */
const TAKE_CLAIMS = scopedStatement(
  'identifierClaims.takeOfEmbedded',
  `DELETE FROM identifier_claims k
   WHERE k.environment_id = $1 AND k.kind = 'wallet' AND NOT EXISTS (
     SELECT FROM credentials c
     WHERE c.environment_id = $1 AND c.user_id = k.user_id AND c.format = 'blockchain'
       AND c.wallet_provider IS DISTINCT FROM 'embeddedWallet'
       AND lower(c.address) = lower(substr(k.identifier, strpos(k.identifier, ':') + 1)))`,
);

const HASH = hashOf('u.metadata', 'f.key');
/** Where users turn out to share a unique value, one that is spelled as values are compared keeps it, or else the earliest. */
const REPLACE_HASHES = scopedStatement(
  'customFieldValues.replaceHashes',
  `WITH spelled AS (
     SELECT v.field_id, v.user_id, v.is_unique, ${HASH} AS hash,
       row_number() OVER (PARTITION BY v.field_id, ${HASH} ORDER BY v.user_id) AS place
     FROM custom_field_values v
     JOIN custom_fields f ON f.environment_id = $1 AND f.id = v.field_id
     JOIN users u ON u.environment_id = $1 AND u.id = v.user_id
     WHERE v.environment_id = $1 AND jsonb_typeof(u.metadata -> f.key) = 'string'
       AND u.metadata ->> f.key ~ '^\\s|\\s$|[^\\x20-\\x7e]' AND v.value_hash <> ${HASH}),
   found AS (
     SELECT s.field_id, s.user_id, s.hash, s.is_unique AND (s.place > 1 OR EXISTS (
       SELECT FROM custom_field_values o
       WHERE o.environment_id = $1 AND o.field_id = s.field_id AND o.value_hash = s.hash AND o.is_unique)) AS is_taken
     FROM spelled s),
   gone AS (
     DELETE FROM custom_field_values v USING found f
     WHERE v.environment_id = $1 AND v.field_id = f.field_id AND v.user_id = f.user_id AND f.is_taken)
   UPDATE custom_field_values v SET value_hash = f.hash FROM found f
   WHERE v.environment_id = $1 AND v.field_id = f.field_id AND v.user_id = f.user_id AND NOT f.is_taken`,
);

/** Does with the rows of one environment what migrations did with those that were stored. */
@Injectable()
export class RowsOfEarlierVersionsRepository {
  /** An embedded wallet authenticates nobody. */
  async takeSignInFromEmbeddedWallets(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    await tx.execute(TAKE_SIGN_IN, [environmentId]);
    await tx.execute(TAKE_CLAIMS, [environmentId]);
  }

  async compareTextsOfCustomFields(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    await tx.execute(REPLACE_HASHES, [environmentId]);
  }
}
