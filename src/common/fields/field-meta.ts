/** A class whose fields are declared with the decorators of this folder. */
export type FieldClass<T = object> = abstract new (...args: never[]) => T;

export interface FieldOptions {
  /** The field may be absent. */
  optional?: boolean;
  /** The field may be null. */
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

/** The declaration of a field; the source of its validation, documentation and serialisation. */
export interface FieldMeta {
  key: string;
  /** How a value is serialised. `class` recurses into declared fields, `date` writes ISO 8601. */
  kind: 'value' | 'date' | 'class';
  list: boolean;
  nested?: () => FieldClass;
  options: FieldOptions;
  /** Declares the same field on another class, with other options; used for derived classes. */
  redeclare(target: object, overrides: FieldOptions): void;
}

const declared = new WeakMap<object, Map<string, FieldMeta>>();

/** Records a field on the class whose prototype is `target`. */
export function recordField(target: object, meta: FieldMeta): void {
  const fields = declared.get(target) ?? new Map<string, FieldMeta>();
  fields.set(meta.key, meta);
  declared.set(target, fields);
}

/** The declared fields of a class, inherited ones first. */
export function fieldsOf(type: FieldClass): FieldMeta[] {
  const fields = new Map<string, FieldMeta>();
  const chain: object[] = [];
  for (let proto = type.prototype as object | null; proto && proto !== Object.prototype;) {
    chain.unshift(proto);
    proto = Object.getPrototypeOf(proto) as object | null;
  }
  for (const proto of chain) for (const [key, meta] of declared.get(proto) ?? []) fields.set(key, meta);
  return [...fields.values()];
}
