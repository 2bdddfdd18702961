import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { WebhookReplayEntity } from './webhook-replay.entity.js';

const ROW = `environment_id AS "environmentId", id, webhook_id AS "webhookId", selection, since, until,
  asked_until AS "askedUntil", state, from_id AS "fromId", end_id AS "endId", position, total, done,
  ended_at AS "endedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

const PAGE = scopedStatement(
  'webhookReplays.list',
  `SELECT ${ROW} FROM webhook_replays
   WHERE environment_id = $1 AND webhook_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4`,
);

const FIND_UNDER_WAY = scopedStatement(
  'webhookReplays.findUnderWay',
  `SELECT ${ROW} FROM webhook_replays
   WHERE environment_id = $1 AND webhook_id = $2 AND state IN ('counting', 'running')`,
);

const CANCEL = scopedStatement(
  'webhookReplays.cancel',
  `UPDATE webhook_replays SET state = 'canceled', ended_at = now(), updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND state IN ('counting', 'running')
   RETURNING ${ROW}`,
);

/** Replays of webhooks. */
@Injectable()
export class ReplaysRepository extends ScopedRepository<WebhookReplayEntity> {
  constructor(database: Database) {
    super(database, WebhookReplayEntity);
  }

  /** Newest first. */
  listPage(
    environmentId: EnvironmentId,
    webhookId: string,
    below: string,
    limit: number,
  ): Promise<WebhookReplayEntity[]> {
    return this.database.rows(PAGE, [environmentId, webhookId, below, limit]);
  }

  async findUnderWay(
    environmentId: EnvironmentId,
    webhookId: string,
    tx: Transaction,
  ): Promise<WebhookReplayEntity | null> {
    return (await tx.rows<WebhookReplayEntity>(FIND_UNDER_WAY, [environmentId, webhookId]))[0] ?? null;
  }

  /** Null if it has already ended. Waits for a step in progress; the next one finds it cancelled. */
  async cancel(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<WebhookReplayEntity | null> {
    return (await tx.rows<WebhookReplayEntity>(CANCEL, [environmentId, id]))[0] ?? null;
  }
}
