import type { World } from './world.js';

/** An event as the API lists it. */
export interface ListedEvent {
  eventId: string;
  eventName: string;
  resourceType: string;
  data: Record<string, unknown>;
  context: { userId?: string };
}

/** The newest events of the sandbox, at most 50, newest first; of one name if one is given. */
export async function listEvents(world: World, name?: string): Promise<ListedEvent[]> {
  const { body } = await world.api.get<{ data: ListedEvent[] }>(world.path('/events'), { expect: 200 });
  return name ? body.data.filter(({ eventName }) => eventName === name) : body.data;
}
