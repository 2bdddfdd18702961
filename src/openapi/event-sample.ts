import { newId } from '../common/ids.js';
import type { OpenApiDocument, Schemas } from './document-types.js';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  example?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

const COMPONENT = '#/components/schemas/';
/** Parts of parts are shown so deep; below, only what must be there is. */
const DEPTH = 4;

/** What texts with a pattern may look like. */
const TEXTS = [
  ...['Sample', 'sample', 'US', 'us', '42', 'ABC123', 'sample-1', 'eip155:1'],
  ...['https://app.example.com', 'myapp://callback', 'auth.example.com', 'you@example.com'],
];

/** Makes data that a schema allows, of its own examples where it has some. */
class Sampler {
  constructor(
    private readonly schemas: Schemas,
    private readonly now: Date,
  ) {}

  of(given: Schema, depth = 0): unknown {
    const schema = this.flat(given);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.example !== undefined) return schema.example;
    const [choice] = schema.oneOf ?? schema.anyOf ?? [];
    if (choice) return this.of(choice, depth);
    const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== 'null') : schema.type;
    switch (type) {
      case 'object':
      case undefined:
        return this.object(schema, depth);
      case 'array':
        return schema.items && depth < DEPTH ? [this.of(schema.items, depth + 1)] : [];
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 1, 1);
      default:
        return this.text(schema);
    }
  }

  private object({ properties = {}, required = [] }: Schema, depth: number): object {
    const members = Object.entries(properties).filter(([name]) => depth < DEPTH || required.includes(name));
    return Object.fromEntries(members.map(([name, member]) => [name, this.of(member, depth + 1)]));
  }

  private text({ format, pattern, minLength = 0, maxLength = Infinity }: Schema): string {
    if (format === 'uuid') return newId();
    if (format === 'date-time') return this.now.toISOString();
    if (format === 'date') return this.now.toISOString().slice(0, 10);
    if (format === 'email') return 'you@example.com';
    if (format === 'uri') return 'https://app.example.com/';
    const fits = (text: string): boolean =>
      text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text));
    const found = TEXTS.find(fits) ?? ['x'.repeat(minLength)].find(fits);
    if (found === undefined) throw new Error(`No sample is known for texts of the form ${pattern}.`);
    return found;
  }

  /** Without references, and with the parts of `allOf` as one. */
  private flat({ $ref, allOf, ...rest }: Schema): Schema {
    const parts = [...($ref ? [this.schemas[$ref.slice(COMPONENT.length)] as Schema] : []), ...(allOf ?? [])].map(
      (part) => this.flat(part),
    );
    return parts.reduce<Schema>(
      (all, part) => ({
        ...part,
        ...all,
        properties: { ...part.properties, ...all.properties },
        required: [...(part.required ?? []), ...(all.required ?? [])],
      }),
      rest,
    );
  }
}

/** What `data` of an event might be, as the document describes it; null for an event that it does not know. */
export function sampleOfEvent(document: OpenApiDocument, name: string, now: Date): object | null {
  const item = document.webhooks?.[name] as
    { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } } | undefined;
  const parts = item?.post.requestBody.content['application/json'].schema.allOf ?? [];
  const data = parts.map(({ properties }) => properties?.['data']).find((found) => found !== undefined);
  return data ? (new Sampler(document.components?.schemas ?? {}, now).of(data) as object) : null;
}
