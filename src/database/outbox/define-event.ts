import { fieldsOf, type FieldClass } from '../../common/fields/index.js';
import type { SecurityEvent } from '../../common/security/index.js';

/** The version of the event and message format; changes only when consumers have to change. */
export const EVENT_VERSION = '2026-11-20';

/** The user an event is about: the record itself, the `userId` of its payload, or else the user who caused it. */
export type EventSubject = 'record' | 'payload' | 'cause';

/** A kind of event that applications can subscribe to. Names follow `{resourceType}.{action}`. */
export interface EventDefinition {
  readonly name: string;
  readonly description: string;
  /** The version since which `data` has its current form. */
  readonly version: string;
  /** Whether a webhook may subscribe to it by name. */
  readonly selectable: boolean;
  /** The schema of `data`. Undeclared fields are never published. */
  readonly payload: FieldClass;
  /** An event of an organization: sent in the console environment, and `data` also names the organization. */
  readonly ofOrganization: boolean;
  /** Its line in the security log; null for the many events that are not security-relevant. */
  readonly security: SecurityEvent | null;
  /** Webhooks with ordered delivery get the events of one subject one after another. */
  readonly subject: EventSubject;
}

/** Webhooks of other environments may subscribe to such an event, and never receive one. */
export const ORGANIZATION_EVENT_NOTE = 'Sent to webhooks of the console environment, for every organization.';

const registry = new Map<string, EventDefinition>();

/** Adds an event to the registry; names are unique. Its subject is the `userId` declared by its payload, if any. */
export function defineEvent(
  name: string,
  description: string,
  options: Pick<EventDefinition, 'payload'> &
    Partial<Pick<EventDefinition, 'version' | 'selectable' | 'ofOrganization' | 'subject'>> & {
      security?: SecurityEvent;
    },
): EventDefinition {
  if (registry.has(name)) throw new Error(`The event ${name} is defined twice.`);
  const { payload, version = EVENT_VERSION, selectable = true, ofOrganization = false, security = null } = options;
  const { subject = namesUser(payload) ? 'payload' : 'cause' } = options;
  const definition = { name, description, version, selectable, payload, ofOrganization, subject, security };
  registry.set(name, definition);
  return definition;
}

const namesUser = (payload: FieldClass): boolean => fieldsOf(payload).some(({ key }) => key === 'userId');

/** Every event defined by the modules loaded so far, sorted by name. */
export const eventRegistry = (): EventDefinition[] => [...registry.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
