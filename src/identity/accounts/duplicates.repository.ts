import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';

/** So many identifiers are shown; settling those shows the next. */
const MOST = 100;

/**
 * Identifiers that several users hold: API calls give them unchecked, and nobody can sign in with them. In the spelling
 * of `credentials_email`, and wallets and social accounts as they are stored.
 */
const LIST = scopedStatement(
  'duplicates.list',
  `SELECT format, identifier, array_agg(DISTINCT user_id ORDER BY user_id) AS "userIds" FROM (
     SELECT c.format, c.user_id, CASE c.format WHEN 'email' THEN lower(c.email)
       WHEN 'oauth' THEN c.oauth_provider || ':' || c.oauth_account_id
       WHEN 'blockchain' THEN lower(c.address) ELSE c.public_identifier END AS identifier
     FROM credentials c WHERE c.environment_id = $1) AS held
   WHERE identifier IS NOT NULL GROUP BY format, identifier HAVING count(DISTINCT user_id) > 1
   ORDER BY format, identifier LIMIT ${MOST}`,
);

export interface Duplicate {
  format: string;
  identifier: string;
  userIds: string[];
}

/** Finds out who shares an identifier, for operators. Reads every credential of the environment. */
@Injectable()
export class DuplicatesRepository {
  constructor(private readonly database: Database) {}

  list(environmentId: EnvironmentId): Promise<Duplicate[]> {
    return this.database.rows<Duplicate>(LIST, [environmentId]);
  }
}
