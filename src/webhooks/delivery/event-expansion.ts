import { asSystem } from '../../database/index.js';
import { NEW_MESSAGE_ID } from './new-message-id.js';

/** Whose earlier messages a message of the event `e` to the webhook `w` waits for; older events name no subject. */
export const ORDERED_BY = `CASE w.ordering WHEN 'user' THEN coalesce(e.subject_user_id, e.user_id) END`;

/**
 * Makes a message for each webhook that wants one of the events in `source`, rows of the table `events`. A ping goes to
 * the webhook it is about and to no other. The key lock keeps a webhook from being removed under its new messages. The
 * unique index on the event and the webhook is the second line of defence against a second message.
 */
export const expandEvents = (source: string): string =>
  asSystem('a part of statements that append events to one environment, or take events of all').part(`
  INSERT INTO webhook_messages (environment_id, id, webhook_id, event_id, next_attempt_at, ordered_by)
  SELECT wanted.environment_id, ${NEW_MESSAGE_ID}, wanted.webhook_id, wanted.event_id, now(), wanted.ordered_by FROM (
    SELECT e.environment_id, e.id AS event_id, w.id AS webhook_id,
      ${ORDERED_BY} AS ordered_by
    FROM ${source} e JOIN webhooks w ON w.environment_id = e.environment_id AND w.is_enabled
      AND CASE e.name WHEN 'ping' THEN w.id = e.resource_id ELSE e.name = ANY (w.events) END
    FOR KEY SHARE OF w
  ) wanted
  ON CONFLICT DO NOTHING RETURNING 1`);
