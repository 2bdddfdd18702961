import { Injectable } from '@nestjs/common';
import {
  Database,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { isEmbeddedRow } from './embedded.js';
import type { IdentifierKey } from './identifier-key.js';
import { MOST_RECIPIENTS } from './most-recipients.js';

/**
 * The owner of an identifier by its claim and, until that is proven, the users with a matching credential. Two are
 * enough to make it ambiguous. Only emails, social accounts and wallets can be held without a claim: API calls add them
 * unchecked. Once one user has proven it, later API calls cannot cast doubt on it. An embedded wallet shows who keeps
 * the keys, not who presents a signature made with them (`HeldAddresses`). `OFFSET 0` keeps the planner from walking
 * the credentials by user, which it prefers for DISTINCT with LIMIT; the subquery around the parameters keeps it from
 * preferring custom plans, which would plan every call.
 */
export const CLAIM_OF_IDENTIFIER = `
  k.user_id AS "userId", k.proven_at IS NOT NULL AS "isProven",
     CASE WHEN k.proven_at IS NOT NULL THEN '{}'::uuid[]
       WHEN asked.kind = 'email' THEN ARRAY(
         SELECT DISTINCT held.user_id FROM (
           SELECT same.user_id FROM unnest(asked.spellings) AS spelling, LATERAL (
             SELECT c.user_id FROM credentials c
             WHERE c.environment_id = $1 AND lower(c.email) = spelling AND c.format = 'email' OFFSET 0) AS same
           UNION ALL SELECT c.user_id FROM credentials c
           WHERE c.environment_id = $1 AND c.email_key = $3 AND c.format = 'email') AS held
         LIMIT 2)
       WHEN asked.kind = 'socialAccountId' THEN ARRAY(
         SELECT DISTINCT held.user_id FROM (
           SELECT c.user_id FROM credentials c
           WHERE c.environment_id = $1 AND c.oauth_provider = asked.provider AND c.oauth_account_id = asked.account
             AND c.oauth_connection_id IS NOT DISTINCT FROM asked.connection OFFSET 0) AS held
         LIMIT 2)
       WHEN asked.kind = 'wallet' THEN ARRAY(
         SELECT DISTINCT held.user_id FROM unnest(asked.spellings) AS spelling, LATERAL (
           SELECT c.user_id FROM credentials c WHERE c.environment_id = $1 AND lower(c.address) = lower(spelling)
             AND spelling IN (c.address, lower(c.address)) AND c.chain = ANY (asked.chains)
             AND NOT ${isEmbeddedRow('c')} OFFSET 0) AS held
         LIMIT 2)
       ELSE '{}'::uuid[] END AS candidates
   FROM (SELECT $2::text AS kind, $4::text[] AS spellings, $5::text AS provider, $6::text AS account,
     $7::uuid AS connection, $8::text[] AS chains OFFSET 0) AS asked
   LEFT JOIN identifier_claims k ON k.environment_id = $1 AND k.kind = asked.kind AND k.identifier = $3`;

const FIND = scopedStatement('identifierClaims.find', `SELECT ${CLAIM_OF_IDENTIFIER}`);

const CLAIM = scopedStatement(
  'identifierClaims.claim',
  `INSERT INTO identifier_claims (environment_id, kind, identifier, user_id, proven_at)
   VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN now() END) ON CONFLICT DO NOTHING`,
);

const PROVE = scopedStatement(
  'identifierClaims.prove',
  `UPDATE identifier_claims SET proven_at = now()
   WHERE environment_id = $1 AND kind = $2 AND identifier = $3 AND user_id = $4 AND proven_at IS NULL`,
);

/** Another user's proven claim stands; an unproven one, asserted by an API call, gives way to proof. */
const TAKE = scopedStatement(
  'identifierClaims.take',
  `INSERT INTO identifier_claims AS c (environment_id, kind, identifier, user_id, proven_at)
   VALUES ($1, $2, $3, $4, now())
   ON CONFLICT (environment_id, kind, identifier) DO UPDATE
     SET user_id = excluded.user_id, proven_at = coalesce(CASE WHEN c.user_id = excluded.user_id THEN c.proven_at END, now())
     WHERE c.user_id = excluded.user_id OR c.proven_at IS NULL
   RETURNING proven_at = now() AS "isNew"`,
);

const PROVEN_SINCE = scopedStatement(
  'identifierClaims.findProof',
  `SELECT proven_at AS "provenAt" FROM identifier_claims
   WHERE environment_id = $1 AND kind = $2 AND identifier = $3 AND user_id = $4`,
);

const HAS_PROVEN = scopedStatement(
  'identifierClaims.checkProven',
  `SELECT FROM identifier_claims WHERE environment_id = $1 AND user_id = $2 AND proven_at IS NOT NULL LIMIT 1`,
);

const PROVEN = scopedStatement(
  'identifierClaims.listProven',
  `SELECT kind, identifier, proven_at AS "provenAt" FROM identifier_claims
   WHERE environment_id = $1 AND user_id = $2 AND proven_at IS NOT NULL`,
);

const PROVEN_EMAILS = scopedStatement(
  'identifierClaims.listProvenEmails',
  `SELECT identifier FROM identifier_claims
   WHERE environment_id = $1 AND user_id = $2 AND kind = 'email' AND proven_at IS NOT NULL LIMIT 100`,
);

/** `metadata.language` of a user, if it is a string. */
const LANGUAGE = `CASE jsonb_typeof(u.metadata -> 'language') WHEN 'string' THEN left(u.metadata ->> 'language', 35) END`;

const FIND_LANGUAGE = scopedStatement(
  'identifierClaims.findLanguage',
  `SELECT ${LANGUAGE} AS language
   FROM identifier_claims i JOIN users u ON u.environment_id = $1 AND u.id = i.user_id
   WHERE i.environment_id = $1 AND i.kind = $2 AND i.identifier = $3 AND i.proven_at IS NOT NULL`,
);

const RECIPIENTS = scopedStatement(
  'identifierClaims.listRecipients',
  `SELECT i.identifier AS address, ${LANGUAGE} AS language
   FROM identifier_claims i JOIN users u ON u.environment_id = $1 AND u.id = i.user_id
   WHERE i.environment_id = $1 AND i.user_id = $2 AND i.kind = 'email' AND i.proven_at IS NOT NULL
   ORDER BY i.proven_at, i.identifier LIMIT ${MOST_RECIPIENTS}`,
);

/** An address to notify a user at, and the `language` from their metadata, if any. */
export interface Recipient {
  address: string;
  language: string | null;
}

export interface Claim {
  /** Null while unclaimed. */
  userId: string | null;
  isProven: boolean;
  /** Users with a matching credential, at most two; empty if the claim is proven. */
  candidates: string[];
}

/** An identifier that its user has proven, and since when. */
export type ProvenClaim = Pick<IdentifierKey, 'kind' | 'identifier'> & { provenAt: Date };

/** An identifier that is now proven. */
export interface TakenIdentifier {
  /** Whether this transaction is the first to prove it; of several concurrent ones, only one is. */
  isNew: boolean;
}

/** The parameters of {@link CLAIM_OF_IDENTIFIER}. */
export function valuesOfIdentifier(environmentId: EnvironmentId, key: IdentifierKey): unknown[] {
  const { oauthProvider = null, oauthAccountId = null, oauthConnectionId = null } = key.credential;
  const account = [oauthProvider, oauthAccountId, oauthConnectionId];
  return [environmentId, key.kind, key.identifier, key.spellings, ...account, key.chains];
}

@Injectable()
export class IdentifierClaimsRepository {
  constructor(private readonly database: Database) {}

  async find(environmentId: EnvironmentId, key: IdentifierKey, on: Executor = this.database): Promise<Claim> {
    const [claim] = await on.rows<Claim>(FIND, valuesOfIdentifier(environmentId, key));
    return claim!;
  }

  /** False if another user has it. Waits for concurrent transactions that claim it. */
  async claim(
    environmentId: EnvironmentId,
    key: IdentifierKey,
    userId: string,
    proven: boolean,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(CLAIM, [environmentId, key.kind, key.identifier, userId, proven])) > 0;
  }

  /** Records that the user has proven it. Null if another user already has. */
  async take(
    environmentId: EnvironmentId,
    key: IdentifierKey,
    userId: string,
    tx: Transaction,
  ): Promise<TakenIdentifier | null> {
    return (await tx.rows<TakenIdentifier>(TAKE, [environmentId, key.kind, key.identifier, userId]))[0] ?? null;
  }

  /** When this user first proved it; null if they have not. */
  async findProvenSince(
    environmentId: EnvironmentId,
    key: IdentifierKey,
    userId: string,
    tx: Transaction,
  ): Promise<Date | null> {
    const values = [environmentId, key.kind, key.identifier, userId];
    return (await tx.rows<{ provenAt: Date | null }>(PROVEN_SINCE, values))[0]?.provenAt ?? null;
  }

  /** Whether the user has any proven identifier. */
  async hasProven(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(HAS_PROVEN, [environmentId, userId])).length > 0;
  }

  /** Everything that the user has proven. */
  listProven(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<ProvenClaim[]> {
    return on.rows<ProvenClaim>(PROVEN, [environmentId, userId]);
  }

  /** The user's proven email addresses, in normal form. */
  async listProvenEmails(
    environmentId: EnvironmentId,
    userId: string,
    on: Executor = this.database,
  ): Promise<string[]> {
    const rows = await on.rows<{ identifier: string }>(PROVEN_EMAILS, [environmentId, userId]);
    return rows.map(({ identifier }) => identifier);
  }

  /** The same, with the user's language for notifications. */
  listRecipients(environmentId: EnvironmentId, userId: string): Promise<Recipient[]> {
    return this.database.rows<Recipient>(RECIPIENTS, [environmentId, userId]);
  }

  /**
   * The language of the user who has proven this address or number, in normal form; null if there is no such user or
   * none is set.
   */
  async findLanguage(
    environmentId: EnvironmentId,
    kind: 'email' | 'phoneNumber',
    identifier: string,
  ): Promise<string | null> {
    const parameters = [environmentId, kind, identifier];
    const [found] = await this.database.rows<{ language: string | null }>(FIND_LANGUAGE, parameters);
    return found?.language ?? null;
  }

  /** True only for the call that proves it first. */
  async prove(environmentId: EnvironmentId, key: IdentifierKey, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.execute(PROVE, [environmentId, key.kind, key.identifier, userId])) > 0;
  }
}
