/** The API document's description of the rules of custom fields. */
export const FIELD_LIMITS: readonly string[] = [
  'regex: RE2 syntax, matched against the whole value without flags, Unicode; no lookaround, no backreferences',
  'regex: 1,000 instructions with repetitions expanded; instructions times characters at most 40,000 per value and 240,000 for all values of a call',
  'validOptions: 200, with distinct labels and keys',
  'text values: 1,024 characters',
  'position: 0 to 1,000,000',
];
