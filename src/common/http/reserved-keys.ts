/**
 * Names that every object has already: `__proto__`, `constructor`, `toString` and the like. A look-up by such a name
 * finds what nobody declared, so the check for unknown fields would let them pass; no request may use them.
 */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);
