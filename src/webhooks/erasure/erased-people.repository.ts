import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';

/** Events per statement: few enough not to disturb other work. */
const BATCH = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Events about an erased person, or caused by one, keep only ids; their deliveries keep the URL and the outcome. All
 * events are scanned in key order, since no index finds those about a person.
 */
const SCRUB = scopedStatement(
  'erasedPeople.forget',
  `WITH batch AS (SELECT id FROM events WHERE environment_id = $1 AND id > $3 ORDER BY id LIMIT ${BATCH}),
   scrubbed AS (
     UPDATE events e SET external_user_id = NULL, data = (
       SELECT coalesce(jsonb_object_agg(f.key, f.value), '{}') FROM jsonb_each(e.data) AS f
       WHERE f.key IN ('id', 'userId', 'fromUserId', 'projectEnvironmentId', 'createdAt'))
     FROM batch b WHERE e.environment_id = $1 AND e.id = b.id AND (
       e.user_id = ANY ($2::uuid[]) OR e.subject_user_id = ANY ($2::uuid[])
       OR e.resource_id = ANY ($2::uuid[]) OR e.data ->> 'userId' = ANY ($2::uuid[]::text[])
       OR e.data ->> 'fromUserId' = ANY ($2::uuid[]::text[])
       OR e.data -> 'createdBy' ->> 'id' = ANY ($2::uuid[]::text[]))
     RETURNING e.id),
   sent AS (
     UPDATE webhook_deliveries d SET
       request = json_build_object('url', d.request -> 'url', 'headers', json_build_object(), 'body', ''),
       response = json_build_object('status', d.response -> 'status', 'durationMs', d.response -> 'durationMs')
     FROM webhook_messages m JOIN scrubbed s ON s.id = m.event_id
     WHERE m.environment_id = $1 AND d.environment_id = $1 AND d.message_id = m.id)
   SELECT id FROM batch ORDER BY id DESC LIMIT 1`,
);

@Injectable()
export class ErasedPeopleRepository {
  constructor(private readonly database: Database) {}

  /** @param after an event id, else starts at the first event. @returns the last scanned event, null at the end */
  async scrub(environmentId: EnvironmentId, userIds: readonly string[], after: string = FIRST): Promise<string | null> {
    return (await this.database.rows<{ id: string }>(SCRUB, [environmentId, userIds, after]))[0]?.id ?? null;
  }
}
