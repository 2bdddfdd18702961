/**
 * Names that every object inherits: `__proto__`, `constructor`, `toString` and the like. They would pass the check for
 * unknown fields, since a lookup finds the inherited member, so no request may use them.
 */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);
