import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { EnvironmentId } from '../scope.js';
import { scopedStatement } from '../statement.js';
import type { Transaction } from '../transaction.js';
import type { EventDefinition } from './define-event.js';

/** What a change tells the world. `data` is the object the event is about and never holds a secret. */
export interface EventDraft {
  event: EventDefinition;
  /** The record it is about; null when that has no UUID. */
  resourceId: string | null;
  data: object;
  /** The end user who caused it. */
  userId?: string | null;
  externalUserId?: string | null;
}

/** The largest payload of an event in bytes: receivers refuse more. */
const MAX_DATA_BYTES = 256 * 1024;

const APPEND = scopedStatement(
  'outbox.append',
  `INSERT INTO events (environment_id, id, name, resource_id, user_id, external_user_id, data)
   SELECT $1, e.id, e.name, e.resource_id, e.user_id, e.external_user_id, e.data
   FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::jsonb[])
     AS e (id, name, resource_id, user_id, external_user_id, data)`,
);

/** Where changes leave their events. The rows commit with the change; listeners are woken after the commit. */
@Injectable()
export class Outbox {
  private readonly listeners: (() => void)[] = [];

  /** Calls `listener` after each commit that appended events. */
  onCommit(listener: () => void): void {
    this.listeners.push(listener);
  }

  async append(environmentId: EnvironmentId, drafts: readonly EventDraft[], tx: Transaction): Promise<void> {
    if (drafts.length === 0) return;
    const data = drafts.map((draft) => JSON.stringify(draft.data));
    for (const text of data) if (Buffer.byteLength(text) > MAX_DATA_BYTES) throw new Error('An event exceeds 256 KB.');
    tx.send(APPEND, [
      environmentId,
      drafts.map(() => newId()),
      drafts.map((draft) => draft.event.name),
      drafts.map((draft) => draft.resourceId),
      drafts.map((draft) => draft.userId ?? null),
      drafts.map((draft) => draft.externalUserId ?? null),
      data,
    ]);
    for (const listener of this.listeners) tx.afterCommit(listener);
  }
}
