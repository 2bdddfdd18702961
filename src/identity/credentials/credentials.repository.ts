import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { Credential } from './credential.entity.js';
import { isEmbeddedRow } from './embedded.js';
import type { IdentifierKey } from './identifier-key.js';
import { CREDENTIAL_COLUMNS, CREDENTIAL_RECORD, credentialRows, type NewCredential } from './new-credential.js';

const INSERT = scopedStatement(
  'credentials.insert',
  `INSERT INTO credentials (environment_id, user_id, ${CREDENTIAL_COLUMNS.join(', ')})
   SELECT $1, $2, ${CREDENTIAL_COLUMNS.map((column) => `r.${column}`).join(', ')}
   FROM jsonb_to_recordset($3::jsonb) AS r (${CREDENTIAL_RECORD})`,
);

// Vendors ask when a number was last verified; of the rest, the first time counts.
const VERIFY = scopedStatement(
  'credentials.verify',
  `UPDATE credentials SET sign_in_enabled = true,
     verified_at = CASE format WHEN 'phoneNumber' THEN now() ELSE coalesce(verified_at, now()) END,
     contract_network = CASE WHEN verified_at IS NULL THEN $9 ELSE contract_network END
   WHERE environment_id = $1 AND user_id = $2 AND format = $3 AND CASE $3::text
     WHEN 'email' THEN lower(email) = ANY ($4::text[]) OR email_key = $10
     WHEN 'oauth' THEN oauth_provider = $5 AND oauth_account_id = $6 AND oauth_connection_id IS NOT DISTINCT FROM $7
     WHEN 'blockchain' THEN chain = ANY ($8::text[]) AND $4::text[] && ARRAY[address, lower(address)]
       AND NOT ${isEmbeddedRow('credentials')}
     ELSE public_identifier = ANY ($4::text[]) END`,
);

/** As stated by an API call: no proof, and no sign-in. */
const WITHDRAW_PROOF = scopedStatement(
  'credentials.withdrawProof',
  'UPDATE credentials SET verified_at = NULL, sign_in_enabled = false WHERE environment_id = $1 AND id = ANY($2::uuid[])',
);

/**
 * Earlier versions stored the subject of every issuer alone, as the team's own id. It stays if another claim explains it:
 * the user may have proven the same id at the issuer that the environment trusts, too.
 */
const REPLACE_SUBJECT = scopedStatement(
  'credentials.replaceSubject',
  `WITH named AS (
     UPDATE credentials c SET public_identifier = $3
     WHERE environment_id = $1 AND user_id = $2 AND format = 'externalUser' AND verified_at IS NOT NULL
       AND public_identifier <> $3 AND right($3::text, length(public_identifier) + 1) = ' ' || public_identifier
       AND EXISTS (SELECT FROM identifier_claims i WHERE i.environment_id = $1 AND i.user_id = $2
         AND i.kind = 'foreignSubject' AND i.identifier = $3 AND i.proven_at IS NOT NULL)
       AND NOT EXISTS (SELECT FROM identifier_claims i WHERE i.environment_id = $1 AND i.user_id = $2
         AND (i.kind = 'externalUserId' AND i.identifier = c.public_identifier
           OR i.kind = 'foreignSubject' AND i.identifier <> $3
             AND right(i.identifier, length(c.public_identifier) + 1) = ' ' || c.public_identifier
             AND NOT EXISTS (SELECT FROM credentials o WHERE o.environment_id = $1 AND o.user_id = $2
               AND o.format = 'externalUser' AND o.public_identifier = i.identifier)))
     RETURNING environment_id)
   UPDATE users SET external_user_id = NULL
   WHERE environment_id = $1 AND id = $2 AND right($3::text, length(external_user_id) + 1) = ' ' || external_user_id
     AND EXISTS (SELECT FROM named)`,
);

const PROVEN_WALLET = `environment_id = $1 AND lower(address) = lower($2) AND chain = ANY ($3::text[])
  AND verified_at IS NOT NULL AND NOT ${isEmbeddedRow('credentials')}`;

const NETWORKS = scopedStatement(
  'credentials.listNetworks',
  `SELECT contract_network AS network FROM credentials WHERE ${PROVEN_WALLET}`,
);

const NOTE_NETWORK = scopedStatement(
  'credentials.noteNetwork',
  `UPDATE credentials SET contract_network = $4 WHERE ${PROVEN_WALLET} AND contract_network IS NULL`,
);

const UPDATE_ACCOUNT = scopedStatement(
  'credentials.updateAccount',
  `UPDATE credentials SET oauth_username = $4, oauth_display_name = $5, oauth_emails = $6, oauth_account_photos = $7
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND format = 'oauth'`,
);

/** Account details from a provider, besides the id. All of them may change, and usernames get reassigned. */
export type AccountDescription = Pick<
  Credential,
  'oauthUsername' | 'oauthDisplayName' | 'oauthEmails' | 'oauthAccountPhotos'
>;

@Injectable()
export class CredentialsRepository extends ScopedRepository<Credential> {
  constructor(database: Database) {
    super(database, Credential);
  }

  insertFor(
    environmentId: EnvironmentId,
    userId: string,
    credentials: readonly NewCredential[],
    tx: Transaction,
  ): void {
    tx.send(INSERT, [environmentId, userId, credentialRows(credentials)]);
  }

  /**
   * Marks the user's own credential for this identifier as verified and enabled for sign-in. False if the user has
   * none; embedded wallet credentials never match.
   */
  async verify(
    environmentId: EnvironmentId,
    userId: string,
    { credential, identifier, spellings, chains }: IdentifierKey,
    contractNetwork: number | null,
    tx: Transaction,
  ): Promise<boolean> {
    const { format, oauthProvider = null, oauthAccountId = null, oauthConnectionId = null } = credential;
    const account = [oauthProvider, oauthAccountId, oauthConnectionId];
    const values = [environmentId, userId, format, spellings, ...account, chains, contractNetwork, identifier];
    return (await tx.execute(VERIFY, values)) > 0;
  }

  /** Leaves the credentials with their user as unproven. */
  async withdrawProof(environmentId: EnvironmentId, ids: readonly string[], tx: Transaction): Promise<void> {
    if (ids.length > 0) await tx.execute(WITHDRAW_PROOF, [environmentId, ids]);
  }

  /** Completes a proven subject that is stored without its issuer. */
  replaceSubject(environmentId: EnvironmentId, userId: string, { identifier }: IdentifierKey, tx: Transaction): void {
    tx.send(REPLACE_SUBJECT, [environmentId, userId, identifier]);
  }

  /**
   * Whether the contract at a wallet address on this network may sign for the owner: only the contract that proved the
   * wallet first may. True if nobody has proven it. A credential with no network recorded takes this one.
   */
  async holdsOnNetwork(
    environmentId: EnvironmentId,
    { credential, chains }: IdentifierKey,
    network: number,
    tx: Transaction,
  ): Promise<boolean> {
    const wallet = [environmentId, credential.address, chains];
    const known = (await tx.rows<{ network: number | null }>(NETWORKS, wallet)).map((row) => row.network);
    if (known.includes(null)) await tx.execute(NOTE_NETWORK, [...wallet, network]);
    return known.every((one) => one === null || one === network);
  }

  /** Replaces the stored account details with the provider's current ones. */
  updateAccount(
    environmentId: EnvironmentId,
    { userId, credentialId }: { userId: string; credentialId: string },
    { oauthUsername, oauthDisplayName, oauthEmails, oauthAccountPhotos }: AccountDescription,
    tx: Transaction,
  ): void {
    const said = [oauthUsername, oauthDisplayName, oauthEmails, oauthAccountPhotos];
    tx.send(UPDATE_ACCOUNT, [environmentId, userId, credentialId, ...said]);
  }
}
