/** What the document says about the rules of custom fields. */
export const FIELD_LIMITS: readonly string[] = [
  'regex: RE2 syntax, matched against the whole value without flags, Unicode; no lookaround, no backreferences',
  'regex: 1,000 instructions when repetitions are written out; instructions times characters of a value at most 40,000, of all values in a call 240,000',
  'validOptions: 200, labels and keys distinct',
  'text values: 1,024 characters',
  'position: 0 to 1,000,000',
];
