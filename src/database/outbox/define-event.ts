import { fieldsOf, type FieldClass } from '../../common/fields/index.js';

/** Names the form of events and messages; it changes when a consumer would have to. */
export const EVENT_VERSION = '2026-11-20';

/** Which user an event is about: the record itself, the `userId` of its payload, or else the one who caused it. */
export type EventSubject = 'record' | 'payload' | 'cause';

/** One kind of event of the service: what applications subscribe to. Names follow `{resourceType}.{action}`. */
export interface EventDefinition {
  readonly name: string;
  readonly description: string;
  /** Since when `data` has its form. */
  readonly version: string;
  /** Whether a webhook may ask for it by name. */
  readonly selectable: boolean;
  /** What `data` is. Fields that it does not declare never leave. */
  readonly payload: FieldClass;
  /** It happens to an organization: sent in the console environment, `data` names the organization as well. */
  readonly ofOrganization: boolean;
  /** Webhooks that ask for order get the events of one subject one after another. */
  readonly subject: EventSubject;
}

const registry = new Map<string, EventDefinition>();

/** Adds an event to the registry. A name is defined once. Its subject is the `userId` that its payload declares, if any. */
export function defineEvent(
  name: string,
  description: string,
  options: Pick<EventDefinition, 'payload'> &
    Partial<Pick<EventDefinition, 'version' | 'selectable' | 'ofOrganization' | 'subject'>>,
): EventDefinition {
  if (registry.has(name)) throw new Error(`The event ${name} is defined twice.`);
  const { payload, version = EVENT_VERSION, selectable = true, ofOrganization = false } = options;
  const { subject = namesUser(payload) ? 'payload' : 'cause' } = options;
  const definition = { name, description, version, selectable, payload, ofOrganization, subject };
  registry.set(name, definition);
  return definition;
}

const namesUser = (payload: FieldClass): boolean => fieldsOf(payload).some(({ key }) => key === 'userId');

/** Every event defined by the modules loaded so far, sorted by name. */
export const eventRegistry = (): EventDefinition[] => [...registry.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
