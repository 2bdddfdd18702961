import { isDeepStrictEqual } from 'node:util';
import type { SettingsSchema } from './settings-projection.js';

/** A node in the settings tree. With `fields`, an object that merges; without, a value replaced as a whole. */
export interface FieldNode {
  fields?: Readonly<Record<string, FieldNode>>;
  /** Accepted in requests, but never returned. */
  isSecret: boolean;
}

/** One value that differs; undefined when absent. */
export interface ChangedField {
  /** Dotted, such as `security.jwtDuration.amount`. */
  field: string;
  before: unknown;
  after: unknown;
}

/** The independently changeable values: all fields of objects. Lists, maps and free-form objects are one value. */
export function compileFields(components: Readonly<Record<string, SettingsSchema>>, root: string): FieldNode {
  const nodeOf = (schema: SettingsSchema): FieldNode => {
    const target = schema.$ref === undefined ? schema : components[schema.$ref.split('/').at(-1) ?? ''];
    if (!target) throw new Error(`no schema is named ${schema.$ref}`);
    const isSecret = schema.writeOnly === true || target.writeOnly === true;
    if (!target.properties) return { isSecret };
    const fields = Object.entries(target.properties).map(([name, property]) => [name, nodeOf(property)] as const);
    return { fields: Object.fromEntries(fields), isSecret };
  };
  return nodeOf({ $ref: root });
}

/** `sent` merged into `stored`, without mutating either; undeclared fields are kept, for the validation to report. */
export function merged(node: FieldNode | undefined, stored: unknown, sent: unknown): unknown {
  // Minus zero is stored as zero: compared with it, it would be a change.
  if (!node?.fields || !isRecord(sent)) return Object.is(sent, -0) ? 0 : sent;
  const result: Record<string, unknown> = isRecord(stored) ? { ...stored } : {};
  for (const [name, value] of Object.entries(sent)) result[name] = merged(node.fields[name], result[name], value);
  return result;
}

/** All values by dotted name; objects that merge are not values themselves. */
export function valuesOf(node: FieldNode, settings: unknown, prefix = ''): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, field] of Object.entries(node.fields ?? {})) {
    const value = isRecord(settings) ? settings[name] : undefined;
    if (value === undefined) continue;
    if (!field.fields) values.set(prefix + name, value);
    else for (const [path, inner] of valuesOf(field, value, `${prefix}${name}.`)) values.set(path, inner);
  }
  return values;
}

/** The value at a path; undefined where it, or an object on the way, is absent. */
export const valueAt = (settings: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), settings);

/** The values in which two settings differ, by name. */
export function changedFields(node: FieldNode, before: unknown, after: unknown): ChangedField[] {
  const [was, is] = [valuesOf(node, before), valuesOf(node, after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort()
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/** The names of all secrets. */
export function secretFields(node: FieldNode, prefix = ''): string[] {
  return Object.entries(node.fields ?? {}).flatMap(([name, field]) =>
    field.isSecret ? [prefix + name] : secretFields(field, `${prefix}${name}.`),
  );
}

/** A copy with a new value at a dotted name, or without the field; missing parent objects are created. */
export function withField<T extends object>(settings: T, field: string, value: unknown): T {
  const [name = '', ...rest] = field.split('.');
  const { [name]: old, ...others } = settings as Record<string, unknown>;
  if (rest.length > 0) return { ...others, [name]: withField(isRecord(old) ? old : {}, rest.join('.'), value) } as T;
  return (value === undefined ? others : { ...others, [name]: value }) as T;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
