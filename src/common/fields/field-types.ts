import type { FieldOptions } from './field-meta.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The type with which a property must be declared, given the options of its decorator. */
export type Declared<T, O extends FieldOptions> =
  T | (O extends { nullable: true } ? null : never) | (O extends { optional: true } ? undefined : never);

/**
 * A property decorator that compiles only on a property of exactly the type `T`, so that a declaration and its TypeScript
 * type cannot diverge.
 */
export type FieldDecorator<T> = <C extends object, K extends keyof C & string>(
  target: C,
  key: K & (Same<C[K], T> extends true ? unknown : never),
) => void;
