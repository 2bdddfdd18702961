import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';

/** A credential not enabled for sign-in can always be removed; the last one that is enabled stays. */
const REMOVE = scopedStatement(
  'credentialRemovals.remove',
  `DELETE FROM credentials c WHERE c.environment_id = $1 AND c.user_id = $2 AND c.id = $3
     AND (NOT c.sign_in_enabled OR c.verified_at IS NULL OR NOT c.format = ANY ($4::text[]) OR EXISTS (
       SELECT FROM credentials o WHERE o.environment_id = $1 AND o.user_id = $2 AND o.id <> $3
         AND o.sign_in_enabled AND o.verified_at IS NOT NULL AND o.format = ANY ($4::text[])))`,
);
const RELEASE = scopedStatement(
  'credentialRemovals.release',
  'DELETE FROM identifier_claims WHERE environment_id = $1 AND user_id = $2 AND kind = $3 AND identifier = $4',
);
/**
 * The claim of a subject includes its issuer. The credential does not if the environment trusted the issuer at the time;
 * claims of subjects that the user still has stay. After a merge that may be the same subject of another issuer, and
 * nothing says which of the claims is its own: then all of them stay.
 */
const RELEASE_SUBJECT = scopedStatement(
  'credentialRemovals.releaseSubject',
  `DELETE FROM identifier_claims i WHERE environment_id = $1 AND user_id = $2
     AND (kind = 'externalUserId' AND identifier = $3
       OR kind = 'foreignSubject' AND right(' ' || identifier, length($3::text) + 1) = ' ' || $3::text
         AND NOT EXISTS (SELECT FROM credentials c WHERE c.environment_id = $1 AND c.user_id = $2
           AND c.format = 'externalUser' AND c.public_identifier = i.identifier))
     AND NOT EXISTS (SELECT FROM credentials same WHERE same.environment_id = $1 AND same.user_id = $2
       AND same.format = 'externalUser' AND same.public_identifier = $3 AND same.verified_at IS NOT NULL)`,
);

@Injectable()
export class CredentialRemovalsRepository {
  /** @param formats that allow sign-in. @returns false if it is the user's last such credential */
  async remove(
    environmentId: EnvironmentId,
    userId: string,
    id: string,
    formats: readonly string[],
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(REMOVE, [environmentId, userId, id, formats])) === 1;
  }

  /** The next user to prove the identifier gets it. */
  async release(environmentId: EnvironmentId, userId: string, key: IdentifierKey, tx: Transaction): Promise<void> {
    await tx.execute(RELEASE, [environmentId, userId, key.kind, key.identifier]);
  }

  async releaseSubject(environmentId: EnvironmentId, userId: string, subject: string, tx: Transaction): Promise<void> {
    await tx.execute(RELEASE_SUBJECT, [environmentId, userId, subject]);
  }
}
