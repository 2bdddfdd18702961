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
import { PersonAddressesRepository } from './person-addresses.repository.js';

/** How long after the due time a pending delivery may still be recorded. */
const SETTLED_SECONDS = 300;
/** Maximum listed at once. */
export const BATCH = 100;

/** Higher than the id of any visit. */
const NO_VISIT = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const ADD = scopedStatement(
  'erasures.add',
  `INSERT INTO erasures (environment_id, id, due_at, first_visitor_id, user_ids)
   SELECT $1, $2, now() + make_interval(secs => $4), coalesce($5::uuid, '${NO_VISIT}'), array_append(ARRAY(
     SELECT DISTINCT m.from_user_id FROM user_merges m
     WHERE m.environment_id = $1 AND m.user_id = $3 AND m.undone_at IS NULL), $3::uuid)`,
);
/** Personal data without a reference to the user: found by their addresses, numbers and wallets. */
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
/** An undone merge contains the user's former data, and refers to the other user. */
const FORGET_MERGES = scopedStatement(
  'erasures.forgetMerges',
  'DELETE FROM user_merges WHERE environment_id = $1 AND from_user_id = $2',
);
const FORGET_VISITS = scopedStatement(
  'erasures.forgetVisits',
  `WITH gone AS (
     DELETE FROM visitors v WHERE v.environment_id = $1 AND lower(v.address) = ANY ($2::text[]) RETURNING v.id)
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
/** Moved behind those of others, as a run takes a limited number. */
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
  constructor(
    database: Database,
    private readonly addresses: PersonAddressesRepository,
  ) {
    super(database, Erasure);
  }

  /**
   * Removes pending sign-in attempts of the person. Called before the user is locked, as a sign-in uses up its attempt
   * before it locks the user: this way the two do not deadlock.
   */
  async forgetAttempts(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    for (const statement of FORGET_ATTEMPTS) await tx.execute(statement, [environmentId, userId]);
  }

  /**
   * Removes everything else that no cascade reaches, and records the person. Called before the user is deleted.
   * @param delaySeconds how long events may still be delivered
   */
  async begin(
    environmentId: EnvironmentId,
    { id, userId, delaySeconds = 0 }: { id: string; userId: string; delaySeconds?: number },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(FORGET_MERGES, [environmentId, userId]);
    const addresses = await this.addresses.list(environmentId, userId, tx);
    const [first] = await tx.rows<{ id: string }>(FORGET_VISITS, [environmentId, addresses]);
    await tx.execute(ADD, [environmentId, id, userId, delaySeconds, first?.id ?? null]);
  }

  /** What is due, oldest first. */
  listOpen(): Promise<OpenErasure[]> {
    return this.database.rows<OpenErasure>(OPEN, []);
  }

  /** Records that scrubbing is complete; only once pending deliveries have arrived. @returns for how many */
  settle(environmentId: EnvironmentId, ids: readonly string[]): Promise<number> {
    return this.database.execute(SETTLE, [environmentId, ids]);
  }

  /** For people who could not be scrubbed now: retried later. */
  async postpone(environmentId: EnvironmentId, ids: readonly string[]): Promise<void> {
    await this.database.execute(POSTPONE, [environmentId, ids]);
  }
}
