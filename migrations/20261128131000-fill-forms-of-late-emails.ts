import { domainToASCII } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const NONE = '00000000-0000-0000-0000-000000000000';
const NEXT = `SELECT environment_id, id, email FROM credentials
  WHERE (environment_id, id) > ($1::uuid, $2::uuid) AND email_key IS NULL AND email ~ '[^\\x20-\\x7e]'
  ORDER BY environment_id, id LIMIT 1000`;
const WRITE = `UPDATE credentials c SET email_key = r.key
  FROM jsonb_to_recordset($1::jsonb) AS r (environment_id uuid, id uuid, key text)
  WHERE c.environment_id = r.environment_id AND c.id = r.id AND r.key IS NOT NULL`;

interface Row {
  environment_id: string;
  id: string;
  email: string;
}

/** The same as in the migration that filled the column first. */
function keyOf(email: string): string | null {
  const [, local, domain] = /^([^\s@]{1,64})@([^\s@]+)$/u.exec(email.trim().normalize('NFC')) ?? [];
  return local && domain ? `${local.toLowerCase()}@${domainToASCII(domain.toLowerCase())}` : null;
}

/**
 * Instances without the column wrote addresses while it was added and filled. Their owners were not always found by a
 * code, and became new users. Does not block readers.
 */
export class FillFormsOfLateEmails20261128131000 implements MigrationInterface {
  name = 'FillFormsOfLateEmails20261128131000';

  async up(runner: QueryRunner): Promise<void> {
    let after = [NONE, NONE];
    for (;;) {
      const rows = (await runner.query(NEXT, after)) as unknown as Row[];
      const last = rows.at(-1);
      if (!last) break;
      const keys = rows.map(({ email, ...row }) => ({ ...row, key: keyOf(email) }));
      await runner.query(WRITE, [JSON.stringify(keys)]);
      after = [last.environment_id, last.id];
    }
  }

  /** The values are dropped with their column. */
  async down(): Promise<void> {}
}
