import { eventRegistry } from '../database/index.js';
import { unknownEvent } from './webhook.errors.js';

/** The event names a webhook may subscribe to, deduplicated, in the given order. @throws unknown_event */
export function selectEvents(names: readonly string[]): string[] {
  const selectable = new Set(eventRegistry().flatMap(({ name, selectable }) => (selectable ? [name] : [])));
  const asked = [...new Set(names)];
  const unknown = asked.filter((name) => !selectable.has(name));
  if (unknown.length > 0) throw unknownEvent({ payload: { unknown } });
  return asked;
}
