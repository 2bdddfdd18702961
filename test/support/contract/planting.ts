import type { DifferenceRule } from './difference.js';
import { type JsonSchema, listOperations, type OpenApiDoc, type Operation } from './openapi-document.js';

/** A change of the sample document and where the comparison must find it. */
export type Mistake = [
  name: string,
  operationId: string,
  plant: (document: OpenApiDoc) => void,
  rule: DifferenceRule,
  at: string,
];

export function operation(document: OpenApiDoc, operationId: string): Operation {
  const located = listOperations(document).find((candidate) => candidate.operationId === operationId);
  if (!located) throw new Error(`no ${operationId} in the sample`);
  return located.operation;
}

export function schema(document: OpenApiDoc, name: string): JsonSchema {
  return document.components?.schemas?.[name] ?? {};
}

export function field(document: OpenApiDoc, component: string, name: string): JsonSchema {
  return schema(document, component).properties?.[name] ?? {};
}

export const inOperation = (id: string, change: (planted: Operation) => void) => (document: OpenApiDoc) =>
  change(operation(document, id));
export const inSchema = (name: string, change: (planted: JsonSchema) => void) => (document: OpenApiDoc) =>
  change(schema(document, name));
export const inField = (component: string, name: string, change: JsonSchema) => (document: OpenApiDoc) =>
  Object.assign(field(document, component, name), change);
export const replaced = (component: string, name: string, replacement: JsonSchema) =>
  inSchema(component, (planted) => (planted.properties = { ...planted.properties, [name]: replacement }));
