import type { EnvironmentEntity } from '../base.entities.js';
import { NEW_ROW_ID } from '../new-row-id.js';
import { columnOf, tableOf, type Column, type EntityClass } from '../shapes/columns.js';
import type { EventDefinition } from './define-event.js';

/** Who listens to events and what is stored for them, in terms of two entities' properties. */
export interface ListenerTerms<L, M> {
  /** Of the listener: whether it is active. */
  readonly listening: Column<L>;
  /** The names of the events it subscribes to. */
  readonly wants: Column<L>;
  /** An event sent only to the listener that is its record. */
  readonly personal: EventDefinition;
  /** The value with which a listener requests ordered delivery per subject. */
  readonly inOrder: { readonly column: Column<L>; readonly value: string };
  /** Of the message: its listener and event, when it is due, and the subject within which order is kept. */
  readonly message: {
    readonly listener: Column<M>;
    readonly event: Column<M>;
    readonly due: Column<M>;
    readonly subject: Column<M>;
  };
}

type Untyped = ListenerTerms<Record<string, unknown>, Record<string, unknown>>;

/** A context's description of its event listeners: names only, no SQL text. */
export interface EventListeners extends Untyped {
  readonly listeners: EntityClass;
  readonly messages: EntityClass;
}

export const eventListeners = <L extends EnvironmentEntity, M extends EnvironmentEntity>(
  listeners: EntityClass<L>,
  messages: EntityClass<M>,
  terms: ListenerTerms<L, M>,
): EventListeners => ({ listeners, messages, ...terms });

/** The user an event `e` is about, if the listener `w` requests order; older events name no subject. */
export function orderingSubject({ listeners, inOrder }: EventListeners): string {
  if (!/^\w+$/.test(inOrder.value)) throw new Error(`${inOrder.value} is not for the text of a statement.`);
  const column = columnOf(listeners, inOrder.column);
  return `CASE w.${column} WHEN '${inOrder.value}' THEN coalesce(e.subject_user_id, e.user_id) END`;
}

/**
 * Creates a message for each listener subscribed to one of the events in `source`, rows of the table `events`. The key
 * lock prevents a listener from being deleted while it gets new messages. A unique index on event and listener also
 * prevents duplicate messages.
 */
export function expansionOf(terms: EventListeners, source: 'appended' | 'taken'): string {
  const { listeners, messages, message } = terms;
  const [listening, wants] = [columnOf(listeners, terms.listening), columnOf(listeners, terms.wants)];
  const columns = [message.listener, message.event, message.due, message.subject];
  return `INSERT INTO ${tableOf(messages)}
      (environment_id, id, ${columns.map((column) => columnOf(messages, column)).join(', ')})
    SELECT wanted.environment_id, ${NEW_ROW_ID}, wanted.listener, wanted.event, now(), wanted.subject FROM (
      SELECT e.environment_id, e.id AS event, w.id AS listener, ${orderingSubject(terms)} AS subject
      FROM ${source} e JOIN ${tableOf(listeners)} w ON w.environment_id = e.environment_id AND w.${listening}
        AND CASE e.name WHEN '${terms.personal.name}' THEN w.id = e.resource_id ELSE e.name = ANY (w.${wants}) END
      FOR KEY SHARE OF w
    ) wanted
    ON CONFLICT DO NOTHING RETURNING 1`;
}
