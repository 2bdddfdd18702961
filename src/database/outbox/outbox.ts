import { Injectable } from '@nestjs/common';
import { currentCause } from '../../common/cause.js';
import { projectionOf } from '../../common/fields/index.js';
import { isUuid, newId } from '../../common/ids.js';
import { SecurityLog } from '../../common/security/index.js';
import type { EnvironmentId } from '../scope.js';
import { statementFamily } from '../statement-family.js';
import { scopedStatement, type Statement } from '../statement.js';
import type { Transaction } from '../transaction.js';
import type { EventDefinition } from './define-event.js';
import type { EventActor } from './event-actor.js';
import { expansionOf, type EventListeners } from './event-listeners.js';
import { externalIdOf, type EventPeople } from './event-people.js';
import { isTooLarge } from './event-size.js';
import { eventTooLarge } from './outbox.errors.js';

/** An event to be published. `data` is the object it is about, of which only the declared payload is kept. */
export interface EventDraft {
  event: EventDefinition;
  /** The record it is about; null if that has no UUID. */
  resourceId: string | null;
  data: object;
  /** The end user who caused it. */
  userId?: string | null;
  /** For a deleted end user; looked up for all others. */
  externalUserId?: string | null;
  /** The member, API token or service that caused it. */
  actor?: EventActor | null;
}

/** Without listeners, events are only stored. */
const NO_MESSAGES = 'SELECT WHERE false';

const appendStatement = statementFamily('events.append', (name, text) => scopedStatement(name, text));

const appending = (externalId: string, messages: string): string =>
  `WITH appended AS (
         INSERT INTO events (environment_id, id, name, resource_id, user_id, external_user_id, data, dispatched_at,
           request_id, trace_parent, subject_user_id, actor)
         SELECT $1, e.id, e.name, e.resource_id, e.user_id, ${externalId}, e.data, now(), $8, $9,
           e.subject_user_id, e.actor
         FROM unnest((SELECT $2::uuid[]), $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::jsonb[], $10::uuid[],
           $11::jsonb[]) AS e (id, name, resource_id, user_id, external_user_id, data, subject_user_id, actor)
         RETURNING *
       ), messages AS (${messages})
       SELECT count(*)::int AS messages FROM messages`;

/** The declared payload, at any depth; for events of an organization, also its id. */
function publishedData({ event, data }: EventDraft): unknown {
  const declared = projectionOf(event.payload)(data);
  if (!event.ofOrganization) return declared;
  return { ...(declared as object), organizationId: (data as { organizationId?: string }).organizationId };
}

/** The user an event is about, or else the user who caused it. */
function subjectOf({ event, resourceId, data, userId = null }: EventDraft): string | null {
  if (event.subject === 'record') return resourceId;
  const named = event.subject === 'payload' ? (data as { userId?: unknown }).userId : null;
  return typeof named === 'string' && isUuid(named) ? named : userId;
}

const ATTRIBUTE = scopedStatement(
  'events.claim',
  `UPDATE events SET subject_user_id = $2
   WHERE environment_id = $1 AND name = ANY ($3::text[]) AND data ->> $4 = ANY ($5::text[])`,
);

/** Events, by their names and by the value of a field in their data. */
export interface ToldBy {
  names: readonly string[];
  field: string;
  values: readonly string[];
}

/**
 * Writes the events of a change and their messages to listeners: one statement, in the transaction of the change, so
 * that all of it is written or none.
 */
@Injectable()
export class Outbox {
  private told: EventListeners | null = null;
  private people: EventPeople | null = null;
  private wake = (): void => undefined;
  private statement: Statement | null = null;

  constructor(private readonly security: SecurityLog) {}

  /**
   * For the one context that delivers events, before the first event.
   *
   * @param wake called after each commit that created messages
   */
  tell(listeners: EventListeners, wake: () => void): void {
    if (this.statement || this.told) throw new Error('Somebody is told of events already.');
    this.told = listeners;
    this.wake = wake;
  }

  /** For the one context that owns the people who cause events, before the first event. */
  know(people: EventPeople): void {
    if (this.statement || this.people) throw new Error('Somebody is known to cause events already.');
    this.people = people;
  }

  get listeners(): EventListeners | null {
    return this.told;
  }

  /** @throws event_too_large, which rolls back the change: what cannot be published must not happen */
  async append(environmentId: EnvironmentId, drafts: readonly EventDraft[], tx: Transaction): Promise<void> {
    if (drafts.length === 0) return;
    const data = drafts.map((draft) => JSON.stringify(publishedData(draft)));
    if (data.some(isTooLarge)) throw eventTooLarge();
    for (const draft of drafts) this.logSecurity(environmentId, draft, tx);
    this.statement ??= this.made();
    const cause = currentCause();
    const values = [
      environmentId,
      drafts.map(() => newId()),
      drafts.map((draft) => draft.event.name),
      drafts.map((draft) => draft.resourceId),
      drafts.map((draft) => draft.userId ?? null),
      drafts.map((draft) => draft.externalUserId ?? null),
      data,
      cause?.requestId ?? null,
      cause?.traceParent ?? null,
      drafts.map(subjectOf),
      drafts.map(({ actor }) => (actor ? JSON.stringify(actor) : null)),
    ];
    tx.send<{ messages: number }>(this.statement, values, ([row]) => {
      if (row && row.messages > 0) tx.afterCommit(this.wake);
    });
  }

  /**
   * Assigns events that name a person in their data to that user, so that exports and deletions of a person's data find
   * them.
   */
  async attribute(
    environmentId: EnvironmentId,
    userId: string,
    { names, field, values }: ToldBy,
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(ATTRIBUTE, [environmentId, userId, names, field, values]);
  }

  private made(): Statement {
    const externalId = this.people ? externalIdOf(this.people) : 'e.external_user_id';
    return appendStatement(appending(externalId, this.told ? expansionOf(this.told, 'appended') : NO_MESSAGES));
  }

  /** Logged after the commit, so only what has happened is logged. */
  private logSecurity(environmentId: EnvironmentId, { event, resourceId, userId }: EventDraft, tx: Transaction): void {
    const { security, name } = event;
    if (security === null) return;
    const fields = {
      requestId: currentCause()?.requestId,
      environmentId,
      eventName: name,
      ...(resourceId !== null && { resourceId }),
      ...(userId && { principal: 'endUser', principalId: userId }),
    };
    tx.afterCommit(() => this.security.record(security, fields));
  }
}
