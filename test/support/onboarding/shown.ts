import {
  listOperations,
  resolveReference,
  type JsonSchema,
  type OpenApiDoc,
  type ResponseObject,
} from '../contract/openapi-document.js';
import { Schemas } from '../surface/schemas.js';

/** Schemas of success responses, by status. */
export type Answers = ReadonlyMap<number, JsonSchema>;

/** Finds in a document where responses have properties of certain names. */
export class ShownProperties {
  private readonly schemas: Schemas;

  constructor(
    private readonly document: OpenApiDoc,
    private readonly names: readonly string[],
  ) {
    this.schemas = new Schemas(document);
  }

  /** Operations whose success response has one of the properties at any depth. */
  operations(): ReadonlyMap<string, Answers> {
    const found = new Map<string, Answers>();
    for (const { operationId, operation } of listOperations(this.document)) {
      const answers = this.answersOf(operation.responses ?? {});
      if ([...answers.values()].some((schema) => this.shows(schema, new Set()))) found.set(operationId, answers);
    }
    return found;
  }

  private answersOf(responses: Record<string, ResponseObject>): Answers {
    const answers = new Map<number, JsonSchema>();
    for (const [status, response] of Object.entries(responses)) {
      const schema = resolveReference(this.document, response).content?.['application/json']?.schema;
      if (/^2\d\d$/.test(status) && schema) answers.set(Number(status), schema);
    }
    return answers;
  }

  private shows(schema: JsonSchema, seen: Set<unknown>): boolean {
    // References are recursive: users have wallets, which have users.
    const key = schema.$ref ?? schema;
    if (seen.has(key)) return false;
    seen.add(key);
    const { properties = {}, items } = this.schemas.shapeOf(schema);
    if (this.names.some((name) => name in properties)) return true;
    return [...Object.values(properties), ...(items ? [items] : [])].some((part) => this.shows(part, seen));
  }

  /** The objects of a response that may have one of the properties, whether or not they do. */
  holdersIn(schema: JsonSchema, value: unknown): Record<string, unknown>[] {
    if (value === null || typeof value !== 'object') return [];
    const { properties = {}, items } = this.schemas.shapeOf(schema);
    if (Array.isArray(value)) return items ? value.flatMap((item) => this.holdersIn(items, item)) : [];
    const object = value as Record<string, unknown>;
    return [
      ...(this.names.some((name) => name in properties) ? [object] : []),
      ...Object.entries(properties).flatMap(([name, part]) => this.holdersIn(part, object[name])),
    ];
  }
}
