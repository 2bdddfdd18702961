import { Injectable } from '@nestjs/common';
import type { EnvironmentKind } from '../../auth/index.js';
import {
  Database,
  dueRowsStatement,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';

const BATCH = 20;
/** Time allowed for sending a claimed email; doubles after each failure, up to the longest. */
const FIRST_PAUSE_SECONDS = 300;
const LONGEST_PAUSE_SECONDS = 21_600;
/** About two days. */
const MAX_TRIES = 14;

/** A claimed email. */
export interface Notice {
  environmentId: string;
  id: string;
  userId: string;
  url: string;
  reason: 'gone' | 'failing';
  kind: EnvironmentKind;
  projectName: string;
  organizationName: string;
  /** Whether the user is still an owner: an email waiting for its server may outlast a membership. */
  isOfOwner: boolean;
  /** Whether this is the last try. */
  isLast: boolean;
}

const ADD = scopedStatement(
  'webhookNotices.add',
  `INSERT INTO webhook_notices (environment_id, id, webhook_id, user_id, url, reason)
   SELECT $1, gen_random_uuid(), $2, m.user_id, $3, $4
   FROM environments n JOIN members m ON m.organization_id = n.organization_id AND m.role = 'owner'
   WHERE n.id = $1`,
);

const TAKE = dueRowsStatement(
  'webhookNotices.take',
  `WITH due AS MATERIALIZED (
     SELECT environment_id, id FROM webhook_notices WHERE due_at <= now()
     ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
   ), taken AS (
     UPDATE webhook_notices t SET tries = t.tries + 1,
       due_at = now() + LEAST(${FIRST_PAUSE_SECONDS} * 2 ^ t.tries, ${LONGEST_PAUSE_SECONDS}) * interval '1 second'
     FROM due WHERE t.environment_id = due.environment_id AND t.id = due.id
     RETURNING t.environment_id, t.id, t.user_id, t.url, t.reason, t.tries
   )
   SELECT t.environment_id AS "environmentId", t.id, t.user_id AS "userId", t.url, t.reason, n.kind,
     p.name AS "projectName", o.name AS "organizationName", t.tries >= ${MAX_TRIES} AS "isLast",
     EXISTS (SELECT FROM members m
       WHERE m.organization_id = n.organization_id AND m.user_id = t.user_id AND m.role = 'owner') AS "isOfOwner"
   FROM taken t
   JOIN environments n ON n.id = t.environment_id
   JOIN projects p ON p.organization_id = n.organization_id AND p.id = n.project_id
   JOIN organizations o ON o.id = n.organization_id`,
);

const REMOVE = scopedStatement(
  'webhookNotices.remove',
  'DELETE FROM webhook_notices WHERE environment_id = $1 AND id = $2',
);

/** Emails about disabled webhooks, kept until the mail server has accepted them. */
@Injectable()
export class NoticesRepository {
  constructor(private readonly database: Database) {}

  /** One for each owner of the organization, in the same transaction as the change they are about. */
  async add(
    environmentId: EnvironmentId,
    { webhookId, url, reason }: { webhookId: string; url: string; reason: 'gone' | 'failing' },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(ADD, [environmentId, webhookId, url, reason]);
  }

  /** Claims emails that nobody else has claimed, for as long as sending may take. */
  take(): Promise<Notice[]> {
    return this.database.rows<Notice>(TAKE, []);
  }

  async remove({ environmentId, id }: Notice): Promise<void> {
    await this.database.execute(REMOVE, [environmentId, id]);
  }
}
