import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Executor } from '../../database/index.js';
import { newId } from '../../common/ids.js';
import type { ScreeningCheckRow } from './screening.entities.js';

/** Stores nothing for a user deleted in the meantime. In address order, so that concurrent calls do not deadlock. */
const KEEP = scopedStatement(
  'screeningChecks.store',
  `INSERT INTO screening_checks (environment_id, id, user_id, address, result, response)
   SELECT $1, c.id, $2, c.address, c.result, c.response
   FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS c (id, address, result, response)
   WHERE EXISTS (SELECT 1 FROM users u WHERE u.environment_id = $1 AND u.id = $2)
   ORDER BY c.address
   ON CONFLICT (environment_id, user_id, address) DO UPDATE
   SET id = excluded.id, result = excluded.result, response = excluded.response, created_at = now()`,
);

export type KnownCheck = Pick<ScreeningCheckRow, 'address' | 'result' | 'response'>;

@Injectable()
export class ScreeningChecksRepository {
  /** Replaces the previous result of each address. */
  async keep(environmentId: EnvironmentId, userId: string, checks: readonly KnownCheck[], on: Executor): Promise<void> {
    const ids = checks.map(() => newId());
    const columns = (['address', 'result', 'response'] as const).map((key) => checks.map((check) => check[key]));
    await on.execute(KEEP, [environmentId, userId, ids, ...columns]);
  }
}
