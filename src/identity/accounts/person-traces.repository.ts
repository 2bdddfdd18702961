import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type PersonTable } from '../../database/index.js';
import { PersonAddressesRepository } from './person-addresses.repository.js';

const ADDRESSES = `(SELECT identifier FROM identifier_claims WHERE environment_id = $1 AND user_id = $2 AND kind = $3)`;

/** Personal data without a foreign key to the user. The same tables are scrubbed when a person is erased. */
const TRACES = {
  events: scopedStatement(
    'personTraces.listEvents',
    `SELECT id, name, created_at AS "createdAt", data FROM events
     WHERE environment_id = $1 AND (subject_user_id = $2 OR user_id = $2) AND $3::text IS NULL ORDER BY id LIMIT $4`,
  ),
  email_verifications: scopedStatement(
    'personTraces.listEmails',
    `SELECT id, email, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt"
     FROM email_verifications WHERE environment_id = $1 AND email IN ${ADDRESSES} LIMIT $4`,
  ),
  sms_verifications: scopedStatement(
    'personTraces.listNumbers',
    `SELECT id, phone_number AS "phoneNumber", created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt"
     FROM sms_verifications WHERE environment_id = $1 AND phone_number IN ${ADDRESSES} LIMIT $4`,
  ),
};
const VISITS = scopedStatement(
  'personTraces.listVisits',
  'SELECT v.* FROM visitors v WHERE v.environment_id = $1 AND lower(v.address) = ANY ($2::text[]) LIMIT $3',
);
const KINDS: Record<keyof typeof TRACES, string | null> = {
  events: null,
  email_verifications: 'email',
  sms_verifications: 'phoneNumber',
};

/** Personal data outside the rows of the user. */
@Injectable()
export class PersonTracesRepository {
  constructor(
    private readonly database: Database,
    private readonly addresses: PersonAddressesRepository,
  ) {}

  /** Without empty tables. @param limit maximum number of rows per table */
  async list(environmentId: EnvironmentId, userId: string, limit: number): Promise<PersonTable[]> {
    const visits = [environmentId, await this.addresses.list(environmentId, userId), limit + 1];
    const tables = [{ table: 'visitors', rows: await this.database.rows<object>(VISITS, visits) }];
    for (const [table, statement] of Object.entries(TRACES)) {
      const kind = KINDS[table as keyof typeof TRACES];
      const rows = await this.database.rows<object>(statement, [environmentId, userId, kind, limit + 1]);
      tables.push({ table, rows });
    }
    return tables
      .filter(({ rows }) => rows.length > 0)
      .map(({ table, rows }) => ({ table, rows: rows.slice(0, limit), isCut: rows.length > limit }));
  }
}
