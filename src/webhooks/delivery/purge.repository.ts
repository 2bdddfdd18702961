import { Injectable } from '@nestjs/common';
import { asSystem, Database } from '../../database/index.js';

const BATCH = 500;

const PURGE_MESSAGES = asSystem(
  'messages of deleted webhooks go first, in steps that are counted across environments',
).statement(
  'webhookMessages.purge',
  `DELETE FROM webhook_messages WHERE (environment_id, id) IN (
     SELECT m.environment_id, m.id FROM webhooks w CROSS JOIN LATERAL (
       SELECT environment_id, id FROM webhook_messages
       WHERE environment_id = w.environment_id AND webhook_id = w.id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) m
     WHERE w.deleted_at IS NOT NULL LIMIT ${BATCH})`,
);

const PURGE_WEBHOOKS = asSystem('nobody can name a deleted webhook any more but the job that removes it').statement(
  'webhooks.purge',
  `DELETE FROM webhooks w WHERE w.deleted_at IS NOT NULL AND NOT EXISTS (
     SELECT FROM webhook_messages m WHERE m.environment_id = w.environment_id AND m.webhook_id = w.id)`,
);

/** Removes deleted webhooks with their messages and deliveries, in short steps however many there are. */
@Injectable()
export class PurgeRepository {
  constructor(private readonly database: Database) {}

  /** @param isStopping asked between the steps; what is left then is removed by the next run */
  async purge(isStopping: () => boolean): Promise<void> {
    while ((await this.database.execute(PURGE_MESSAGES, [])) === BATCH) if (isStopping()) return;
    await this.database.execute(PURGE_WEBHOOKS, []);
  }
}
