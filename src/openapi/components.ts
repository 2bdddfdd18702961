import { operationsOf, type OpenApiDocument, type Schemas } from './document-types.js';

const PREFIX = '#/components/schemas/';

function* referencesOf(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const item of node) yield* referencesOf(item);
  } else if (node !== null && typeof node === 'object') {
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string') yield value;
      else yield* referencesOf(value);
    }
  }
}

/**
 * The schemas reachable from operations, sorted by name.
 *
 * @throws Error for a reference to a missing schema
 */
export function reachableSchemas(document: OpenApiDocument, known: Schemas): Schemas {
  const reached = new Map<string, Schemas[string]>();
  const visit = (node: unknown, from: string): void => {
    for (const reference of referencesOf(node)) {
      const name = reference.startsWith(PREFIX) ? reference.slice(PREFIX.length) : '';
      if (reached.has(name)) continue;
      const schema = known[name];
      if (!schema) throw new Error(`${from} refers to ${reference}, which is not a schema of the document.`);
      reached.set(name, schema);
      visit(schema, name);
    }
  };
  for (const { operation } of operationsOf(document)) visit(operation, `The operation ${operation.operationId}`);
  for (const [name, item] of Object.entries(document.webhooks ?? {})) visit(item, `The webhook ${name}`);
  return Object.fromEntries([...reached].sort(([a], [b]) => (a < b ? -1 : 1)));
}
