import type { History } from '../world/history.js';
import { judge, type Finding } from './finding.js';

/**
 * P2: every committed event reached every subscribed webhook, or was retried until the schedule ended. Derived from the
 * events and, independently of them, from responses to clients.
 */
export function checkDelivered(history: History, { waiting }: { waiting: ReadonlySet<string> }): Finding {
  const { events, messages, deliveries, receipts, operations } = history;
  const hooks = history.hooks.filter((hook) => !waiting.has(hook));
  const taken = new Set(receipts.filter(({ status }) => isSuccess(status)).map(({ messageId }) => messageId));
  const made = new Map(messages.map((message) => [`${message.eventId} ${message.hook}`, message]));
  const tried = new Set(deliveries.map(({ messageId }) => messageId));
  const violations: string[] = [];
  for (const { id, name, dispatched } of events) {
    if (!dispatched) violations.push(`event ${name} ${id} was never dispatched`);
    for (const hook of dispatched ? hooks : []) {
      const message = made.get(`${id} ${hook}`);
      if (!message) violations.push(`event ${name} ${id} has no message for ${hook}`);
      else if (message.status === 'delivered' && !taken.has(message.id))
        violations.push(`message ${message.id} is delivered, and ${hook} never took it`);
      else if (message.status === 'failed' && !tried.has(message.id))
        violations.push(`message ${message.id} for ${hook} failed without an attempt`);
      else if (message.status === 'pending' || message.status === 'sending')
        violations.push(`message ${message.id} for ${hook} is still ${message.status}`);
    }
  }
  const told = new Set(events.map(({ name, resourceId }) => `${name} ${resourceId}`));
  for (const { kind, outcome, resultId } of operations) {
    if (kind !== 'createUser' || outcome !== 'ok') continue;
    if (!told.has(`user.created ${resultId}`)) violations.push(`user ${resultId} was acknowledged without an event`);
  }
  return judge('P2', `${events.length} events to ${hooks.length} webhooks, lost ${violations.length}`, violations);
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
