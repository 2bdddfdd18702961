import { isDate } from 'node:util/types';

/**
 * The JSON Schema keywords used to describe the settings. A type alias, as an interface is not assignable to the index
 * signatures in which API documents keep schemas.
 */
export type SettingsSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  properties?: Record<string, SettingsSchema>;
  required?: string[];
  items?: SettingsSchema;
  additionalProperties?: boolean | SettingsSchema;
  writeOnly?: boolean;
  deprecated?: boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  propertyNames?: SettingsSchema;
};

/** Returns the declared part of a value, or `undefined` when the value is not of the declared kind. */
export type Projection = (value: unknown) => unknown;

/**
 * Compiles the projection of a component once into nested closures, so that calls walk the value but never the schema.
 * Throws when a reference names no component.
 */
export function compileProjection(components: Readonly<Record<string, SettingsSchema>>, root: string): Projection {
  const compiled = new Map<string, Projection>();

  const ofComponent = (name: string): Projection => {
    const known = compiled.get(name);
    if (known) return known;
    const schema = components[name];
    if (!schema) throw new Error(`no schema is named ${name}`);
    // Registered before it is built, to allow recursive schemas.
    let built: Projection = (value) => value;
    compiled.set(name, (value) => built(value));
    built = ofSchema(schema);
    return built;
  };

  const ofSchema = (schema: SettingsSchema): Projection => {
    if (schema.$ref !== undefined) return ofComponent(schema.$ref.split('/').at(-1) ?? '');
    if (schema.properties) return ofFields(schema.properties);
    if (schema.items) return ofItems(ofSchema(schema.items));
    if (typeof schema.additionalProperties === 'object') return ofMap(ofSchema(schema.additionalProperties));
    return schema.type === 'object' ? freeForm : scalar;
  };

  const ofFields = (properties: Record<string, SettingsSchema>): Projection => {
    const answered = Object.entries(properties).filter(([, schema]) => schema.writeOnly !== true);
    const fields = answered.map(([name, schema]) => [name, ofSchema(schema)] as const);
    return (value) => {
      if (!isRecord(value)) return nullOrNothing(value);
      const kept: Record<string, unknown> = {};
      for (const [name, ofField] of fields) {
        const field = Object.hasOwn(value, name) ? ofField(value[name]) : undefined;
        if (field !== undefined) kept[name] = field;
      }
      return kept;
    };
  };

  return ofComponent(root);
}

function ofItems(ofItem: Projection): Projection {
  return (value) => (Array.isArray(value) ? value.map(ofItem) : nullOrNothing(value));
}

function ofMap(ofValue: Projection): Projection {
  return (value) => {
    if (!isRecord(value)) return nullOrNothing(value);
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, ofValue(entry)]));
  };
}

const freeForm: Projection = (value) => (isRecord(value) ? value : nullOrNothing(value));

/** An object in place of a string or number would leak undeclared fields; a Date becomes ISO 8601. */
const scalar: Projection = (value) => {
  if (isDate(value)) return value.toISOString();
  return typeof value === 'object' ? nullOrNothing(value) : value;
};

function nullOrNothing(value: unknown): null | undefined {
  return value === null ? null : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
