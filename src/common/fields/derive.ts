import { fieldsOf, type FieldClass, type FieldOptions } from './field-meta.js';

type Constructor<T> = new () => T;

function derive<T>(base: FieldClass, keep: (key: string) => boolean, overrides: FieldOptions): Constructor<T> {
  class Derived {}
  for (const field of fieldsOf(base)) if (keep(field.key)) field.redeclare(Derived.prototype, overrides);
  return Derived as Constructor<T>;
}

/** A class with the named fields of another, declared the same way. */
export const PickOf = <T extends object, const K extends keyof T & string>(
  base: FieldClass<T>,
  keys: readonly K[],
): Constructor<Pick<T, K>> => derive(base, (key) => keys.includes(key as K), {});

/** A class with all fields of another except the named ones. */
export const OmitOf = <T extends object, const K extends keyof T & string>(
  base: FieldClass<T>,
  keys: readonly K[],
): Constructor<Omit<T, K>> => derive(base, (key) => !keys.includes(key as K), {});

/** A class with all fields of another, each optional. Nullability is unchanged. */
export const PatchOf = <T extends object>(base: FieldClass<T>): Constructor<Partial<T>> =>
  derive(base, () => true, { optional: true });
