import { Injectable } from '@nestjs/common';
import {
  asSystem,
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { Erasure } from './erasure.entity.js';

/** So long after it is due something that was on its way can still be written down. */
const SETTLED_SECONDS = 300;
const BATCH = 100;

/** Higher than the id of any visit. */
const NO_VISIT = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const ADD = scopedStatement(
  'erasures.add',
  `INSERT INTO erasures (environment_id, id, due_at, first_visitor_id, user_ids)
   SELECT $1, $2, now() + make_interval(secs => $4), coalesce($5::uuid, '${NO_VISIT}'), array_append(ARRAY(
     SELECT DISTINCT m.from_user_id FROM user_merges m
     WHERE m.environment_id = $1 AND m.user_id = $3 AND m.undone_at IS NULL), $3::uuid)`,
);
/** What tells of a person without being tied to the user: by the addresses, numbers and wallets that they have. */
const FORGET_ATTEMPTS = [
  scopedStatement(
    'erasures.forgetEmails',
    `DELETE FROM email_verifications v USING identifier_claims k
     WHERE v.environment_id = $1 AND k.environment_id = $1 AND k.user_id = $2 AND k.kind = 'email' AND v.email = k.identifier`,
  ),
  scopedStatement(
    'erasures.forgetNumbers',
    `DELETE FROM sms_verifications v USING identifier_claims k
     WHERE v.environment_id = $1 AND k.environment_id = $1 AND k.user_id = $2 AND k.kind = 'phoneNumber'
       AND v.phone_number = k.identifier`,
  ),
  scopedStatement(
    'erasures.forgetLogins',
    `DELETE FROM telegram_logins l USING credentials c
     WHERE l.environment_id = $1 AND c.environment_id = $1 AND c.user_id = $2 AND c.oauth_provider = 'telegram'
       AND l.account ->> 'id' = c.oauth_account_id`,
  ),
];
/** A merge that was undone holds who the user was, and refers to the other one. */
const FORGET_MERGES = scopedStatement(
  'erasures.forgetMerges',
  'DELETE FROM user_merges WHERE environment_id = $1 AND from_user_id = $2',
);
const FORGET_VISITS = scopedStatement(
  'erasures.forgetVisits',
  `WITH gone AS (
     DELETE FROM visitors v USING credentials c
     WHERE v.environment_id = $1 AND c.environment_id = $1 AND c.user_id = $2 AND lower(v.address) = lower(c.address)
     RETURNING v.id)
   SELECT id FROM gone ORDER BY id LIMIT 1`,
);
const OPEN = asSystem('people are forgotten in every environment').statement(
  'erasures.listOpen',
  `SELECT environment_id AS "environmentId", id, user_ids AS "userIds", created_at AS "createdAt",
     coalesce(first_visitor_id, '00000000-0000-0000-0000-000000000000') AS "firstVisitorId" FROM erasures
   WHERE scrubbed_at IS NULL AND due_at <= now() ORDER BY due_at LIMIT ${BATCH}`,
);
const SETTLE = scopedStatement(
  'erasures.finish',
  `UPDATE erasures SET scrubbed_at = now()
   WHERE environment_id = $1 AND id = ANY ($2::uuid[]) AND due_at < now() - make_interval(secs => ${SETTLED_SECONDS})`,
);
/** Later than those of others, of which a run takes so many. */
const POSTPONE = scopedStatement(
  'erasures.updateDue',
  `UPDATE erasures SET due_at = now() + interval '1 minute' WHERE environment_id = $1 AND id = ANY ($2::uuid[])`,
);

export type OpenErasure = Pick<Erasure, 'id' | 'userIds' | 'createdAt'> & {
  environmentId: EnvironmentId;
  firstVisitorId: string;
};

@Injectable()
export class ErasuresRepository extends ScopedRepository<Erasure> {
  constructor(database: Database) {
    super(database, Erasure);
  }

  /**
   * Removes what was sent to the person and not answered yet. Called before the user is locked, like a sign-in, which uses
   * up its attempt before it gets to the user: so neither waits for what the other has.
   */
  async forgetAttempts(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    for (const statement of FORGET_ATTEMPTS) await tx.execute(statement, [environmentId, userId]);
  }

  /**
   * Removes what else no cascade reaches, and notes the person. Called before the user goes.
   * @param delaySeconds for how long what was told may still be delivered
   */
  async begin(
    environmentId: EnvironmentId,
    { id, userId, delaySeconds = 0 }: { id: string; userId: string; delaySeconds?: number },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(FORGET_MERGES, [environmentId, userId]);
    const [first] = await tx.rows<{ id: string }>(FORGET_VISITS, [environmentId, userId]);
    await tx.execute(ADD, [environmentId, id, userId, delaySeconds, first?.id ?? null]);
  }

  /** What is due, the oldest first. */
  listOpen(): Promise<OpenErasure[]> {
    return this.database.rows<OpenErasure>(OPEN, []);
  }

  /** Notes that everything was gone through; not before what was on its way has arrived. */
  async settle(environmentId: EnvironmentId, ids: readonly string[]): Promise<void> {
    await this.database.execute(SETTLE, [environmentId, ids]);
  }

  /** For people who could not be forgotten now: it is tried again. */
  async postpone(environmentId: EnvironmentId, ids: readonly string[]): Promise<void> {
    await this.database.execute(POSTPONE, [environmentId, ids]);
  }
}
