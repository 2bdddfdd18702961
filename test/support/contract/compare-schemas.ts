import type { Difference, DifferenceRule } from './difference.js';
import type { JsonSchema, OpenApiDoc } from './openapi-document.js';
import { type Shape, shapeOf } from './schema-shape.js';

/**
 * `request` also compares limits; `response` compares what clients rely on; `error` only requires everything in the
 * contract to be present.
 */
export type Direction = 'request' | 'response' | 'error';

/** A schema and the document that its references belong to. */
export interface SchemaIn {
  doc: OpenApiDoc;
  schema: JsonSchema;
}

const INSTANT_FORMATS = new Set<unknown>(['date-time', 'date']);
/** Limits for which a smaller number is stricter. */
const CEILINGS = new Set(['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems']);

/** Compares two schemas field by field; `at` names the place in the messages. Recursive schemas are compared once. */
export function compareSchemas(
  generated: SchemaIn,
  contract: SchemaIn,
  direction: Direction,
  at: string,
): Difference[] {
  return new SchemaComparison(generated.doc, contract.doc, direction).compare(
    generated.schema,
    contract.schema,
    at,
    at,
  );
}

class SchemaComparison {
  private readonly compared = new WeakMap<JsonSchema, Set<JsonSchema>>();

  constructor(
    private readonly generated: OpenApiDoc,
    private readonly contract: OpenApiDoc,
    private readonly direction: Direction,
  ) {}

  /** `owner` is the nearest component of the contract with the path from it, `Webhook.events[]`. */
  compare(left: JsonSchema, right: JsonSchema, at: string, owner: string): Difference[] {
    const partners = this.compared.get(left) ?? new Set();
    if (partners.has(right)) return [];
    this.compared.set(left, partners.add(right));
    const differences = this.compareShapes(shapeOf(this.generated, left), shapeOf(this.contract, right), at, owner);
    // A pair reached again from another place is reported there as well; only the current path must not loop.
    partners.delete(right);
    return differences;
  }

  private compareShapes(ours: Shape, theirs: Shape, at: string, inherited: string): Difference[] {
    const owner = theirs.component ?? inherited;
    const differences: Difference[] = [];
    const differ = (rule: DifferenceRule, contract: string, generated: string): void => {
      differences.push({ rule, at, contract, generated });
    };
    const isError = this.direction === 'error';
    if (isError && (ours.kind === 'any' || theirs.kind === 'any')) return [];
    if (ours.kind !== theirs.kind) {
      differ('type', theirs.kind, ours.kind);
      return differences;
    }
    if (!isError && ours.nullable !== theirs.nullable) {
      differ('nullable', theirs.nullable ? 'null allowed' : 'no null', ours.nullable ? 'null allowed' : 'no null');
    }
    if (!this.sameValues(ours.enum, theirs.enum)) differ('enum', listText(theirs.enum), listText(ours.enum));
    differences.push(...this.compareLimits(ours, theirs, at));
    if (theirs.kind === 'object') differences.push(...this.compareObjects(ours, theirs, at, owner));
    if (theirs.kind === 'array') {
      differences.push(...this.compare(ours.items ?? {}, theirs.items ?? {}, `${at}[]`, `${owner}[]`));
    }
    if (theirs.kind === 'union') differences.push(...this.compareAlternatives(ours, theirs, at, owner));
    return differences;
  }

  private sameValues(ours: string[] | undefined, theirs: string[] | undefined): boolean {
    if (this.direction === 'error') return !ours || (theirs ?? []).every((value) => ours.includes(value));
    return ours?.join('\n') === theirs?.join('\n');
  }

  private compareLimits(ours: Shape, theirs: Shape, at: string): Difference[] {
    const names = new Set([...Object.keys(ours.limits), ...Object.keys(theirs.limits)]);
    return [...names].flatMap((name) => {
      const [mine, other] = [ours.limits[name], theirs.limits[name]];
      if (mine === other || !this.matters(name, other)) return [];
      if (theirs.mayBeStricter && isStricter(name, mine, other)) return [];
      return { rule: 'limit', at, contract: `${name} ${other ?? 'none'}`, generated: `${name} ${mine ?? 'none'}` };
    });
  }

  /** In a response, the only limit that clients rely on is that a text is an instant. */
  private matters(name: string, contractValue: unknown): boolean {
    if (this.direction === 'request') return true;
    return this.direction === 'response' && name === 'format' && INSTANT_FORMATS.has(contractValue);
  }

  private compareObjects(ours: Shape, theirs: Shape, at: string, owner: string): Difference[] {
    const isError = this.direction === 'error';
    const isFree = (shape: Shape): boolean => shape.values === true && shape.fields.size === 0;
    if (isFree(theirs)) {
      const fits = isFree(ours) || this.direction !== 'request';
      return fits ? [] : [{ rule: 'type', at, contract: 'a free-form object', generated: 'an object of named fields' }];
    }
    if (isError && isFree(ours)) return [];
    const differences: Difference[] = [];
    for (const [name, schema] of theirs.fields) {
      const mine = ours.fields.get(name);
      const place = `${at}.${name}`;
      if (mine) differences.push(...this.compare(mine, schema, place, `${owner}.${name}`));
      else differences.push({ rule: 'missing-field', at: place, contract: 'the field', generated: 'no such field' });
      if (mine) differences.push(...this.compareRequired(name, ours, theirs, place));
    }
    for (const name of isError ? [] : ours.fields.keys()) {
      if (!theirs.fields.has(name)) differences.push(this.extraField(name, ours, at, owner));
    }
    return [...differences, ...this.compareMapValues(ours, theirs, at, owner)];
  }

  private compareRequired(name: string, ours: Shape, theirs: Shape, at: string): Difference[] {
    const [mine, other] = [ours.required.has(name), theirs.required.has(name)];
    if (mine === other || (this.direction === 'error' && mine)) return [];
    const text = (required: boolean): string => (required ? 'required' : 'optional');
    return [{ rule: 'required', at, contract: text(other), generated: text(mine) }];
  }

  /** An extra request field is only allowed if it is optional. */
  private extraField(name: string, ours: Shape, at: string, owner: string): Difference {
    const forced = this.direction === 'request' && ours.required.has(name);
    return {
      rule: 'extra-field',
      at: `${at}.${name}`,
      contract: 'no such field',
      generated: forced ? 'a required field' : 'the field',
      ...(forced ? {} : { allowedAs: `${owner}.${name}` }),
    };
  }

  private compareMapValues(ours: Shape, theirs: Shape, at: string, owner: string): Difference[] {
    if (this.direction === 'error' || (ours.values === undefined && theirs.values === undefined)) return [];
    if (typeof ours.values === 'object' && typeof theirs.values === 'object') {
      return this.compare(ours.values, theirs.values, `${at}.*`, `${owner}.*`);
    }
    if (ours.values === theirs.values) return [];
    const text = ({ values }: Shape): string =>
      values === undefined ? 'named fields only' : values === true ? 'any further field' : 'a map of one type';
    return [{ rule: 'type', at, contract: text(theirs), generated: text(ours) }];
  }

  private compareAlternatives(ours: Shape, theirs: Shape, at: string, owner: string): Difference[] {
    const matches = (mine: JsonSchema, other: JsonSchema): boolean => this.compare(mine, other, at, owner).length === 0;
    const name = (schema: JsonSchema): string => schema.$ref?.split('/').at(-1) ?? JSON.stringify(schema);
    const lacking = theirs.alternatives.filter((other) => !ours.alternatives.some((mine) => matches(mine, other)));
    const extra = ours.alternatives.filter((mine) => !theirs.alternatives.some((other) => matches(mine, other)));
    return [
      ...lacking.map((other): Difference => ({
        rule: 'type',
        at,
        contract: `alternative ${name(other)}`,
        generated: 'none like it',
      })),
      ...(this.direction === 'error' ? [] : extra).map((mine): Difference => ({
        rule: 'type',
        at,
        contract: 'none like it',
        generated: `alternative ${name(mine)}`,
      })),
    ];
  }
}

function isStricter(name: string, mine: string | number | undefined, other: string | number | undefined): boolean {
  if (mine === undefined) return false;
  if (other === undefined) return true;
  if (typeof mine !== 'number' || typeof other !== 'number') return name === 'pattern';
  return CEILINGS.has(name) ? mine < other : mine > other;
}

function listText(values: string[] | undefined): string {
  return values ? values.join(', ') : 'any value';
}
