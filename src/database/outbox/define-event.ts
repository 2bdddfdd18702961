/** One kind of event of the service: what applications subscribe to. Names follow `{resourceType}.{action}`. */
export interface EventDefinition {
  readonly name: string;
  readonly description: string;
  /** Whether a webhook may ask for it by name. */
  readonly selectable: boolean;
}

const registry = new Map<string, EventDefinition>();

/** Adds an event to the registry. A name is defined once. */
export function defineEvent(
  name: string,
  description: string,
  options: { selectable?: boolean } = {},
): EventDefinition {
  if (registry.has(name)) throw new Error(`The event ${name} is defined twice.`);
  const definition = { name, description, selectable: options.selectable ?? true };
  registry.set(name, definition);
  return definition;
}

/** Every event defined by the modules loaded so far, sorted by name. */
export const eventRegistry = (): EventDefinition[] => [...registry.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
