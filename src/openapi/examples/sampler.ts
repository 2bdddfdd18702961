import type { Schemas } from '../document-types.js';
import { SAMPLE_TEXTS, TEXTS_BY_NAME } from './sample-texts.js';

export interface SampledSchema {
  $ref?: string;
  allOf?: SampledSchema[];
  anyOf?: SampledSchema[];
  oneOf?: SampledSchema[];
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  example?: unknown;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  minimum?: number;
  properties?: Record<string, SampledSchema>;
  required?: string[];
  items?: SampledSchema;
  writeOnly?: boolean;
}

const COMPONENT = '#/components/schemas/';
/** Nesting depth with all fields; below it, only required ones are shown. */
const DEPTH = 4;

interface SampleOptions {
  /** For ids, by field name. */
  idOf: (name: string) => string;
  now: Date;
  /**
   * Whether to show only what a request needs: required fields, and those with an example of their own. Otherwise what
   * an answer shows, which is nothing that is only written.
   */
  leastOf?: 'request';
}

/** Generates data that a schema allows, from its own examples where it has some. */
export class Sampler {
  constructor(
    private readonly schemas: Schemas,
    private readonly options: SampleOptions,
  ) {}

  of(given: SampledSchema, name = '', depth = 0): unknown {
    const schema = this.flat(given);
    if (schema.const !== undefined) return schema.const;
    if (schema.example !== undefined) return schema.example;
    if (schema.enum) return schema.enum[0];
    const choice = (schema.oneOf ?? schema.anyOf)?.find(({ type }) => type !== 'null');
    if (choice) return this.of(choice, name, depth);
    const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
    switch (type) {
      case 'object':
      case undefined:
        return this.object(schema, depth);
      case 'array':
        return schema.items && (depth < DEPTH || schema.minItems) ? [this.of(schema.items, name, depth + 1)] : [];
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 1, 1);
      default:
        return this.text(schema, name);
    }
  }

  private object({ properties = {}, required = [] }: SampledSchema, depth: number): object {
    const isLeast = this.options.leastOf === 'request';
    const members = Object.entries(properties).filter(
      ([name, member]) =>
        required.includes(name) ||
        (isLeast ? this.flat(member).example !== undefined : depth < DEPTH && this.flat(member).writeOnly !== true),
    );
    return Object.fromEntries(members.map(([name, member]) => [name, this.of(member, name, depth + 1)]));
  }

  private text({ format, pattern, minLength = 0, maxLength = Infinity }: SampledSchema, name: string): string {
    const { now, idOf } = this.options;
    if (format === 'uuid') return idOf(name);
    if (format === 'date-time') return now.toISOString();
    if (format === 'date') return now.toISOString().slice(0, 10);
    if (format === 'email') return 'ada@example.com';
    if (format === 'uri') return 'https://app.example.com/';
    const fits = (text: string): boolean =>
      text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text));
    const known = TEXTS_BY_NAME[name];
    const found = [...(known === undefined ? [] : [known]), ...SAMPLE_TEXTS, 'x'.repeat(minLength)].find(fits);
    if (found === undefined) throw new Error(`No sample is known for texts of the form ${pattern}.`);
    return found;
  }

  /** Resolves references and merges `allOf`. */
  private flat({ $ref, allOf, ...rest }: SampledSchema): SampledSchema {
    const parts = [
      ...($ref ? [this.schemas[$ref.slice(COMPONENT.length)] as SampledSchema] : []),
      ...(allOf ?? []),
    ].map((part) => this.flat(part));
    return parts.reduce<SampledSchema>(
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
