import type { JsonSchema, OpenApiDoc } from './openapi-document.js';

/** The base URI of the rewritten components. */
const DOCUMENT_ADDRESS = 'https://document.test/components';

/** Each component twice: closed, and open for use in `allOf`, which adds fields to it. */
export interface StrictDocument {
  $id: string;
  closed: Record<string, JsonSchema>;
  open: Record<string, JsonSchema>;
}

type Variant = 'closed' | 'open';
type Rewrite = (schema: JsonSchema) => JsonSchema;

/**
 * Rewrites the components of an OpenAPI document as JSON Schema 2020-12 that rejects undeclared fields: an object with
 * named fields and no `additionalProperties` accepts only these fields. `nullable` (OpenAPI 3.0) becomes an
 * alternative.
 */
export function strictDocument(doc: OpenApiDoc): StrictDocument {
  const schemas = doc.components?.schemas ?? {};
  return { $id: DOCUMENT_ADDRESS, closed: mapValues(schemas, closed), open: mapValues(schemas, open) };
}

/** One schema of the document, rewritten the same way; valid next to its `strictDocument`. */
export function closed(schema: JsonSchema): JsonSchema {
  const parts = (schema.allOf?.length ?? 0) + (schema.$ref === undefined ? 0 : 1) + (schema.properties ? 1 : 0);
  const isComposed = parts > 1;
  const isOpenEnded = schema.additionalProperties !== undefined || !(isComposed || schema.properties);
  const strict = rewrite(schema, isComposed || schema.properties ? 'open' : 'closed');
  return asNullable(schema, isOpenEnded ? strict : { ...strict, unevaluatedProperties: false });
}

/** A part of a composed schema: it may have further fields, but its values are complete. */
function open(schema: JsonSchema): JsonSchema {
  return asNullable(schema, rewrite(schema, 'open'));
}

/** `parts` is the variant used for schemas that describe the same value as this one. */
function rewrite(schema: JsonSchema, parts: Variant): JsonSchema {
  const part = parts === 'open' ? open : closed;
  const { $ref, properties, items, allOf, anyOf, oneOf, additionalProperties } = schema;
  const strict: JsonSchema = { ...schema };
  delete strict.nullable;
  if ($ref !== undefined) strict.$ref = `${DOCUMENT_ADDRESS}#/${parts}/${$ref.split('/').at(-1)}`;
  if (properties) strict.properties = mapValues(properties, closed);
  if (items) strict.items = closed(items);
  if (allOf) strict.allOf = allOf.map(part);
  if (anyOf) strict.anyOf = anyOf.map(part);
  if (oneOf) strict.oneOf = oneOf.map(part);
  if (typeof additionalProperties === 'object') strict.additionalProperties = closed(additionalProperties);
  return strict;
}

function mapValues(schemas: Record<string, JsonSchema>, change: Rewrite): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));
}

function asNullable(schema: JsonSchema, strict: JsonSchema): JsonSchema {
  return schema.nullable === true ? { anyOf: [strict, { type: 'null' }] } : strict;
}
